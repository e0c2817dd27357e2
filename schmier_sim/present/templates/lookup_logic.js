"use strict";

// What the lookup page knows and works out; nothing here touches the document.
// The same arithmetic as schmier_sim/analysis/lookup.py, where each step is explained.

const SUITS = ["S", "H", "C", "D"];
const MATE = { S: "C", C: "S", H: "D", D: "H" };
const SYMBOLS = { S: "♠", H: "♥", C: "♣", D: "♦" };
const RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"];
const JOKER = "Jo";
const DECK = [...SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit)), JOKER];
const NAMED = ["A", "K", "Q", "R", "L", "10", "2", "Jo"]; // from the highest bit of `held` to the lowest
const HAND_SIZE = 6;
const SMALL_CARDS = 7;
const BIDS = [3, 4, 5, 6];
const N_RESULTS = 7;
const N_ACES = 4;
const N_TEAMS = 3;
const DEALINGS = ["me", "partner", "left", "right"];
const ROLE_OF = [0, 1, 2, 2];
const DEALER_OF = [0, 0, 1, 2];
const Z95 = 1.959963984540054;

// ---- Tables: base64 of raw deflate of byte planes ----

function fromBase64(text) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const value = new Uint8Array(128);
  for (let i = 0; i < 64; i++) value[letters.charCodeAt(i)] = i;
  const end = text.indexOf("=") < 0 ? text.length : text.indexOf("=");
  const bytes = new Uint8Array(Math.floor((end * 3) / 4));
  let bits = 0, held = 0, at = 0;
  for (let i = 0; i < end; i++) {
    bits = ((bits << 6) | value[text.charCodeAt(i)]) & 0xffffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[at++] = bits >> held;
    }
  }
  return bytes;
}

// Raw deflate (RFC 1951). A small one of our own: it answers at once, and in browsers without DecompressionStream.
function inflate(bytes, size) {
  const out = new Uint8Array(size);
  let at = 0, place = 0, bits = 0, held = 0;

  function take(n) {
    while (held < n) {
      bits |= bytes[place++] << held;
      held += 8;
    }
    const value = bits & ((1 << n) - 1);
    bits >>>= n;
    held -= n;
    return value;
  }

  // Canonical Huffman codes: how many there are of each length, and the symbols in the order of their codes.
  function codes(lengths) {
    const counts = new Uint16Array(16);
    for (const length of lengths) counts[length]++;
    counts[0] = 0;
    const starts = new Uint16Array(16);
    for (let i = 1; i < 16; i++) starts[i] = starts[i - 1] + counts[i - 1];
    const symbols = new Uint16Array(lengths.length);
    lengths.forEach((length, symbol) => {
      if (length) symbols[starts[length]++] = symbol;
    });
    return { counts, symbols };
  }

  function symbol({ counts, symbols }) {
    let code = 0, first = 0, index = 0;
    for (let length = 1; length < 16; length++) {
      code |= take(1);
      const count = counts[length];
      if (code - count < first) return symbols[index + code - first];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Error("damaged data");
  }

  function tables(fixed) {
    if (fixed) {
      const lengths = [[144, 8], [112, 9], [24, 7], [8, 8]].flatMap(([n, length]) => Array(n).fill(length));
      return [codes(lengths), codes(Array(30).fill(5))];
    }
    const nLong = take(5) + 257, nFar = take(5) + 1, nCodes = take(4) + 4;
    const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    const ofCodes = Array(19).fill(0);
    for (let i = 0; i < nCodes; i++) ofCodes[order[i]] = take(3);
    const coded = codes(ofCodes), lengths = [];
    while (lengths.length < nLong + nFar) {
      const next = symbol(coded);
      if (next < 16) lengths.push(next);
      else {
        const [repeated, least, width] = [[lengths[lengths.length - 1], 3, 2], [0, 3, 3], [0, 11, 7]][next - 16];
        for (let n = least + take(width); n > 0; n--) lengths.push(repeated);
      }
    }
    return [codes(lengths.slice(0, nLong)), codes(lengths.slice(nLong))];
  }

  // Lengths 3 to 258 and distances 1 to 32768, in classes with more and more extra bits.
  const extra = (index, group) => (index < 2 * group ? 0 : Math.floor(index / group) - 1);
  function base(index, group, least) {
    let sum = least;
    for (let i = 0; i < index; i++) sum += 1 << extra(i, group);
    return sum;
  }

  for (let last = 0; !last; ) {
    last = take(1);
    const kind = take(2);
    if (kind === 0) {
      bits = held = 0;
      const length = bytes[place] | (bytes[place + 1] << 8);
      out.set(bytes.subarray(place + 4, place + 4 + length), at);
      place += 4 + length;
      at += length;
      continue;
    }
    const [long, far] = tables(kind === 1);
    for (let next = symbol(long); next !== 256; next = symbol(long)) {
      if (next < 256) out[at++] = next;
      else {
        const i = next - 257;
        const length = i === 28 ? 258 : base(i, 4, 3) + take(extra(i, 4));
        const j = symbol(far);
        const distance = base(j, 2, 1) + take(extra(j, 2));
        for (let n = 0; n < length; n++, at++) out[at] = out[at - distance];
      }
    }
  }
  return out;
}

// Numbers of `width` bytes: first the lowest byte of all of them, then the next one of all.
function numbers(packed, count, width) {
  const bytes = inflate(fromBase64(packed), count * width);
  const found = new Uint32Array(count);
  for (let plane = 0; plane < width; plane++) {
    for (let i = 0; i < count; i++) found[i] += bytes[plane * count + i] * 2 ** (8 * plane);
  }
  return found;
}

// Tables by three scores are packed team by team, as differences along the second and third score, modulo 2^16.
function ofScores(packed, teams, n) {
  const found = Uint16Array.from(numbers(packed, teams * n ** 3, 2), (code) => (code >>> 1) ^ -(code & 1));
  for (let i = 0; i < found.length; i++) if (i % n) found[i] += found[i - 1];
  for (let i = 0; i < found.length; i++) if (Math.floor(i / n) % n) found[i] += found[i - n];
  return found;
}

function readTables(data) {
  const classes = makeClasses();
  const cells = 3 * classes.size;
  const tables = {
    ...data,
    classes,
    points: numbers(data.points, cells * N_ACES * N_RESULTS, data.width),
    best: numbers(data.best, cells * (N_ACES + 1), 1),
  };
  if (data.match) {
    const n = data.match.target - data.match.least;
    tables.match = {
      ...data.match,
      n,
      wins: ofScores(data.match.wins, N_TEAMS - 1, n),
      left: ofScores(data.match.left, N_TEAMS, n),
    };
  }
  return tables;
}

// Classes of trump holdings are numbered by how many trumps, then by which named ones.
function makeClasses() {
  const classes = new Map();
  for (let trumps = 0; trumps <= HAND_SIZE; trumps++) {
    for (let held = 0; held < 256; held++) {
      const small = trumps - bitCount(held);
      if (small >= 0 && small <= SMALL_CARDS) classes.set(`${held} ${small}`, classes.size);
    }
  }
  return classes;
}

function bitCount(mask) {
  let n = 0;
  for (let rest = mask; rest; rest &= rest - 1) n++;
  return n;
}

// ---- Cards ----

const rankOf = (card) => (card === JOKER ? JOKER : card.slice(0, -1));
const suitOf = (card) => (card === JOKER ? "" : card.slice(-1));
const inOrder = (cards) => [...cards].sort((a, b) => DECK.indexOf(a) - DECK.indexOf(b));

// Reads cards as game/notation does, local letters as well; the error, if any, is [text, values].
// With `unfinished` the last word may be the beginning of a card.
function parseCards(text, ranks, unfinished = false) {
  const words = text.replace(/[\ufe0e\ufe0f\u200b\u200d\ufeff]/g, "").replace(/[,;]/g, " ").split(/\s+/).filter(Boolean);
  const open = unfinished && !/[\s,;]$/.test(text) ? words.length - 1 : -1;
  const cards = [];
  const state = { group: "" };
  for (let i = 0; i < words.length; i++) {
    const read = readWord(words[i], state, ranks);
    if (read.error) return i === open ? { cards } : { cards, error: read.error };
    for (const card of read) {
      if (cards.includes(card)) return { cards, error: ["error_twice", { card }] };
      cards.push(card);
    }
  }
  if (cards.length > HAND_SIZE) return { cards: cards.slice(0, HAND_SIZE), error: ["error_many", { n: cards.length }] };
  return { cards };
}

function readWord(shown, state, ranks) {
  const word = shown.toUpperCase();
  const local = Object.entries(ranks).filter(([rank]) => RANKS.includes(rank)).map(([rank, letter]) => [letter.toUpperCase(), rank]);
  const letterOf = new Map([...RANKS.map((rank) => [rank, rank]), ["T", "10"], ...local]);
  const suitSigns = new Map([...SUITS.map((s) => [s, s]), ...SUITS.map((s) => [SYMBOLS[s], s]), ["♤", "S"], ["♡", "H"], ["♧", "C"], ["♢", "D"]]);
  const rank = [...letterOf.keys()].sort((a, b) => b.length - a.length).join("|");
  const suit = `[${[...suitSigns.keys()].join("")}]`;
  const ofSuit = (letters, group) => letters.match(new RegExp(rank, "g")).map((letter) => letterOf.get(letter) + group);
  const whole = (pattern) => word.match(new RegExp(`^(?:${pattern})$`, "u"));

  const jokers = ["JO", "JOKER", "JK", "*", "X", "🃏"];
  const bare = state.group && whole(`(?:${rank})+`);
  if (jokers.includes(word)) {
    if (bare) return { error: ["error_unclear", { word: shown, suit: state.group }] };
    state.group = "";
    return [JOKER];
  }
  let match = whole(`(${rank})(${suit})`);
  const first = whole(`(${suit})(${rank})`);
  if (match || first) {
    // "DB" may be a diamond, or queen and jack of the suit before, where D stands for a queen.
    if (bare && word.length > 1) return { error: ["error_unclear", { word: shown, suit: state.group }] };
    if (match) {
      state.group = "";
      return [letterOf.get(match[1]) + suitSigns.get(match[2])];
    }
    state.group = SUITS.includes(first[1]) ? "" : suitSigns.get(first[1]);
    return [letterOf.get(first[2]) + suitSigns.get(first[1])];
  }
  match = whole(`(${suit})(:?)((?:${rank})*)`);
  if (match && (match[2] || match[3])) {
    state.group = suitSigns.get(match[1]);
    return match[3] ? ofSuit(match[3], state.group) : [];
  }
  if (bare) return ofSuit(word, state.group);
  if (whole(rank)) return { error: ["error_suit", { word: shown }] };
  return { error: ["error_card", { word: shown.length > 20 ? shown.slice(0, 19) + "…" : shown }] };
}

// ---- Kinds of hands ----

// What a hand is with some suit as trumps: class, letters from the top, plain aces.
function holdingOf(cards, trump, classes) {
  let held = 0, small = 0, aces = 0;
  for (const card of cards) {
    const name = trumpName(card, trump);
    if (name === "") aces += rankOf(card) === "A";
    else if (name === "x") small++;
    else held |= 128 >> NAMED.indexOf(name);
  }
  const names = NAMED.filter((name, i) => held & (128 >> i));
  const top = names.filter((name) => name !== "2" && name !== JOKER);
  const letters = [...top, ...Array(small).fill("x"), ...names.slice(top.length)];
  return { number: classes.get(`${held} ${small}`), letters, aces };
}

function trumpName(card, trump) {
  if (card === JOKER) return JOKER;
  const rank = rankOf(card);
  if (rank === "J" && suitOf(card) === MATE[trump]) return "L";
  if (suitOf(card) !== trump) return "";
  return rank === "J" ? "R" : NAMED.includes(rank) ? rank : "x";
}

// Counts by points of a kind of hand; N_ACES stands for any number of plain aces.
function countsOf(tables, role, number, aces) {
  const cell = (role * tables.classes.size + number) * N_ACES;
  const counts = Array(N_RESULTS).fill(0);
  for (let a = aces === N_ACES ? 0 : aces; a < (aces === N_ACES ? N_ACES : aces + 1); a++) {
    for (let k = 0; k < N_RESULTS; k++) counts[k] += tables.points[(cell + a) * N_RESULTS + k];
  }
  return counts;
}

const total = (counts) => counts.reduce((sum, n) => sum + n, 0);
const meanOf = (counts, values) => counts.reduce((sum, n, k) => sum + n * values[k], 0) / total(counts);
const ends = (code) => [code >> 3, code & 7];

function figuresOf(counts) {
  const deals = total(counts);
  const bids = BIDS.map((bid) => {
    const made = total(counts.slice(bid));
    const [low, high] = wilson(made, deals);
    return { bid, make: made / deals, low, high, net: meanOf(counts, counts.map((_, k) => (k >= bid ? k : -bid))) };
  });
  return { deals, bids, mean: meanOf(counts, counts.map((_, k) => k)) };
}

function wilson(k, n) {
  const z2 = Z95 * Z95;
  const centre = (k + z2 / 2) / (n + z2);
  const half = (Z95 / (n + z2)) * Math.sqrt((k * (n - k)) / n + z2 / 4);
  return [k === 0 ? 0 : Math.max(centre - half, 0), k === n ? 1 : Math.min(centre + half, 1)];
}

// ---- The match ----

// Place in the tables of scores of own, left and right team, where one of these deals.
function stateOf(match, scores, dealer) {
  return [0, 1, 2].reduce((state, i) => state * match.n + Math.max(scores[(dealer + i) % N_TEAMS], match.least) - match.least, 0);
}

function winOf(match, state, place) {
  const states = match.n ** 3;
  const [first, second] = [match.wins[state], match.wins[states + state]];
  return [first, second, match.unit - first - second][place] / match.unit;
}

const placeOf = (dealer) => (N_TEAMS - dealer) % N_TEAMS;

// Chances of own, left and right team before the cards are seen.
function chancesOf(match, scores, dealing) {
  const dealer = DEALER_OF[dealing], state = stateOf(match, scores, dealer);
  return [0, 1, 2].map((team) => winOf(match, state, (team + placeOf(dealer)) % N_TEAMS));
}

function leavingOf(match, scores, dealing) {
  const dealer = DEALER_OF[dealing];
  return match.left[placeOf(dealer) * match.n ** 3 + stateOf(match, scores, dealer)] / match.unit;
}

// Chance of the own team once it has declared, by the points that it won.
function valuesOf(match, scores, dealing, bid) {
  return match.others[dealing].map((ways, k) =>
    ways.reduce((sum, [left, right, parts]) =>
      sum + (parts / match.parts) * afterDeal(match, scores, DEALER_OF[dealing], [k >= bid ? k : -bid, left, right]), 0));
}

function afterDeal(match, scores, dealer, gains) {
  const { target } = match;
  const totals = scores.map((score, team) =>
    match.mustBid && team ? Math.min(score + gains[team], Math.max(score, target - 1)) : score + gains[team]);
  const winner = winnerOf(match, totals);
  if (winner !== null) return winner === 0 ? 1 : 0;
  const following = (dealer + 1) % N_TEAMS;
  return winOf(match, stateOf(match, totals.map((score) => Math.min(score, target - 1)), following), placeOf(following));
}

// The team that has won after the own one declared; null where the match goes on, as where two others are level.
function winnerOf({ target, declarerFirst }, totals) {
  const most = Math.max(...totals);
  if (most < target) return null;
  if (totals[0] === most || (declarerFirst && totals[0] >= target)) return 0;
  return totals[1] === totals[2] ? null : totals.indexOf(most);
}

function declare(match, counts, scores, dealing, bid, leaving) {
  const values = valuesOf(match, scores, dealing, bid);
  const made = counts.map((n, k) => (k >= bid ? n : 0)), lost = counts.map((n, k) => (k < bid ? n : 0));
  let needed = NaN;
  if (total(made) && total(lost)) {
    const loss = meanOf(lost, values), stake = meanOf(made, values) - loss;
    if (stake >= match.leastStake) needed = (leaving - loss) / stake;
  }
  return { chance: meanOf(counts, values), error: standardError(counts, values), needed };
}

function standardError(counts, values) {
  const n = total(counts);
  const within = counts.map((count) => (count + (count + 1 / N_RESULTS) / (n + 1)) / (n + 1));
  const mean = within.reduce((sum, p, k) => sum + p * values[k], 0);
  const square = within.reduce((sum, p, k) => sum + p * values[k] ** 2, 0);
  const grown = (n + 1) ** 2 / (n ** 2 + n + 1);
  return Math.sqrt(Math.max(grown * (square - mean ** 2), 0) / n);
}

// The highest bid that is surely better than leaving the deal to others, and the highest that may be: 0 none, 1 to 4.
function bidUpTo(bids, leaving) {
  let low = 0, high = 0;
  bids.forEach(({ chance, error }, i) => {
    if (chance - leaving > Z95 * error) low = i + 1;
    if (high === i && chance - leaving >= -Z95 * error) high = i + 1;
  });
  return [low, Math.max(low, high)];
}

// ---- The answer ----

// All suits as trumps for six cards, the one in which to bid highest first. Scores may be null: then points count.
function answer(tables, cards, dealing, scores) {
  const match = scores && tables.match;
  const leaving = match ? leavingOf(match, scores, dealing) : 0;
  const suits = SUITS.map((suit) => suitAnswer(tables, cards, suit, dealing, scores, leaving));
  const worth = ({ figures, upTo }) => {
    const at = figures.bids[Math.max(upTo[0] - 1, 0)];
    return match ? at.chance : at.net;
  };
  suits.sort((a, b) => {
    if (!a.figures || !b.figures) return (a.figures ? 0 : 1) - (b.figures ? 0 : 1);
    return b.upTo[0] - a.upTo[0] || b.upTo[1] - a.upTo[1] || worth(b) - worth(a);
  });
  return { suits, leaving, chances: match ? chancesOf(match, scores, dealing) : null };
}

function suitAnswer(tables, cards, suit, dealing, scores, leaving) {
  const role = ROLE_OF[dealing];
  const { number, letters, aces } = holdingOf(cards, suit, tables.classes);
  const own = countsOf(tables, role, number, aces);
  const found = { suit, letters, aces, ownDeals: total(own), figures: null };
  const enough = found.ownDeals >= tables.leastDeals;
  const counts = enough ? own : countsOf(tables, role, number, N_ACES);
  if (total(counts) < tables.leastDeals) return found;
  found.figures = figuresOf(counts);
  found.anyAces = !enough;
  found.few = found.figures.deals < tables.fewDeals;
  found.upTo = ends(tables.best[(role * tables.classes.size + number) * (N_ACES + 1) + (enough ? aces : N_ACES)]);
  if (scores && tables.match) {
    found.figures.bids.forEach((row) => Object.assign(row, declare(tables.match, counts, scores, dealing, row.bid, leaving)));
    found.upTo = bidUpTo(found.figures.bids, leaving);
  }
  return found;
}

// ---- Numbers as readers write them ----

const MINUS = "−", MISSING = "–";

// toFixed rounds exact halves up; tables round them to even.
function fixed(value, digits) {
  const scaled = value * 10 ** digits, half = value * 2 ** (digits + 1);
  if (Number.isInteger(half) && half % 2 && Math.floor(scaled) % 2 === 0) return (Math.floor(scaled) / 10 ** digits).toFixed(digits);
  return value.toFixed(digits);
}

function writeNumber(value, digits, language) {
  if (!Number.isFinite(value)) return MISSING;
  let text = fixed(Math.abs(value), digits);
  const minus = value < 0 && Number(text) !== 0 ? MINUS : "";
  const [whole, decimals] = text.split(".");
  const grouped = Number(whole) < language.leastGrouped ? whole : whole.replace(/\B(?=(\d{3})+$)/g, language.thousands);
  text = grouped + (decimals ? language.decimal + decimals : "");
  return minus + text;
}

function writeSigned(value, digits, language) {
  const text = writeNumber(value, digits, language);
  return value > 0 && /[1-9]/.test(text) ? "+" + text : text;
}

const writePercent = (p, digits, language) => writeNumber(100 * p, digits, language) + language.percentGap + "%";

// A chance in percent and its error: the farther limit, as in tables; at 0 and 100 the only possible side.
function writeChance(p, low, high, language) {
  const value = writeNumber(100 * p, 1, language);
  const width = Math.max(100 * Math.max(p - low, high - p), 0.1);
  const sign = { [writeNumber(0, 1, language)]: "+", [writeNumber(100, 1, language)]: MINUS }[value] || "±";
  return [value, sign + writeNumber(width, 1, language)];
}

const writeCard = (card, language) => (card === JOKER ? language.ranks[JOKER] || JOKER : (language.ranks[rankOf(card)] || rankOf(card)) + suitOf(card));

// ---- The address: #AS,KS,JC,2S,10H,9D;deals=partner;scores=14,9,18 ----

// An address that somebody has cut short must not keep the page from starting.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function readAddress(hash) {
  const [cards, ...rest] = decoded(hash.replace(/^#/, "")).split(";");
  const read = parseCards(cards, {});
  const found = { cards: read.cards, dealing: 2, scores: null, ...(read.error && { error: read.error }) };
  for (const part of rest) {
    const [name, value = ""] = part.split("=");
    if (name === "deals" && DEALINGS.includes(value)) found.dealing = DEALINGS.indexOf(value);
    const scores = value.split(",").map(Number);
    if (name === "scores" && scores.length === N_TEAMS && scores.every(Number.isInteger)) found.scores = scores;
  }
  return found;
}

function writeAddress({ cards, dealing, scores }) {
  return `#${cards.join(",")};deals=${DEALINGS[dealing]}${scores ? `;scores=${scores.join(",")}` : ""}`;
}
