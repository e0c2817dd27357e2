// The page itself: what is on it, what a tap or a key does, and how an answer is shown.

const data = JSON.parse(document.getElementById("data").textContent);
const tables = readTables(data);
const { language, texts } = data;
const byId = (id) => document.getElementById(id);
const state = { cards: [], dealing: 2, scores: null };

// Suit symbols as letters, not as coloured pictures.
const symbol = (suit) => SYMBOLS[suit] + "\ufe0e";
const isRed = (suit) => suit === "H" || suit === "D";

function say(id, values = {}) {
  return texts[id].replace(/\{(\w+)\}/g, (all, name) => (name in values ? values[name] : all));
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== null) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const letterOf = (rank) => language.ranks[rank] || rank;
const nameOfSuit = (suit) => texts[`suit_${suit}`];

function nameOfCard(card) {
  if (card === JOKER) return say("joker");
  const rank = rankOf(card);
  return say("card", { rank: texts[`rank_${rank}`] || rank, suit: nameOfSuit(suitOf(card)) });
}

const exampleOf = (cards) => cards.map((card) => writeCard(card, language)).join(" ");

// ---- Cards to choose from ----

function face(card) {
  if (card === JOKER) return [make("span", { class: "rank" }, letterOf(JOKER)), make("span", { class: "suit" }, "★")];
  return [make("span", { class: "rank" }, letterOf(rankOf(card))), make("span", { class: "suit" }, symbol(suitOf(card)))];
}

const colour = (card) => (card === JOKER ? "joker" : isRed(suitOf(card)) ? "red" : "black");

function layCards() {
  for (const card of DECK) {
    const button = make("button", {
      type: "button", class: `card ${colour(card)}`, "data-card": card, "aria-label": nameOfCard(card), "aria-pressed": "false",
      tabindex: card === DECK[0] ? "0" : "-1",
    }, ...face(card));
    byId("cards").append(button);
  }
  byId("cards").addEventListener("click", (event) => {
    const button = event.target.closest("[data-card]");
    if (button) toggle(button.dataset.card);
  });
  byId("cards").addEventListener("keydown", moveByKey);
  byId("cards").addEventListener("focusin", (event) => rove(event.target));
}

// One stop for the tab key; arrows go on from there, up and down to the card that is seen there.
function rove(button) {
  for (const other of byId("cards").children) other.tabIndex = other === button ? 0 : -1;
}

function moveByKey(event) {
  const buttons = [...byId("cards").children], at = buttons.indexOf(event.target);
  const goTo = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  const next = { ArrowUp: -1, ArrowDown: 1 }[event.key] ? nextInColumn(buttons, at, event.key === "ArrowDown") : buttons[goTo];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function nextInColumn(buttons, at, down) {
  const middle = (button) => {
    const box = button.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [x, y] = middle(buttons[at]);
  const far = (button) => {
    const [left, top] = middle(button);
    const ahead = down ? top - y : y - top;
    return ahead < 8 ? Infinity : ahead + 3 * Math.abs(left - x);
  };
  const nearest = buttons.reduce((best, button) => (far(button) < far(best) ? button : best));
  return far(nearest) < Infinity ? nearest : null;
}

function toggle(card) {
  if (state.cards.includes(card)) state.cards = state.cards.filter((other) => other !== card);
  else if (state.cards.length === HAND_SIZE) return complain(say("full"));
  else state.cards = inOrder([...state.cards, card]);
  byId("typed").value = exampleOf(state.cards);
  complain("");
  show();
}

function complain(text) {
  byId("typed-error").textContent = text;
  byId("typed").setAttribute("aria-invalid", text ? "true" : "false");
}

// What is wrong with cards that were typed or come from an address.
function complainOf([name, values]) {
  const told = { ...values, example: exampleOf(name === "error_suit" ? ["KS"] : ["AS", "10D", JOKER]) };
  if (told.card) told.card = exampleOf([told.card]);
  complain(say(name, told));
}

// While a word is being typed it may be unfinished; afterwards it must be a card.
function readTyped(unfinished) {
  const { cards, error } = parseCards(byId("typed").value, language.ranks, unfinished);
  state.cards = inOrder(cards);
  if (error) complainOf(error);
  else complain(unfinished || !cards.length || cards.length === HAND_SIZE ? "" : say("error_few", { n: cards.length }));
  show();
}

// ---- What is shown ----

function show() {
  showHand();
  const complete = state.cards.length === HAND_SIZE;
  byId("results").hidden = !complete;
  byId("waiting").hidden = complete;
  byId("scores").hidden = !state.scores;
  byId("side").hidden = !state.scores || state.dealing < 2;
  if (complete) showAnswer(answer(tables, state.cards, state.dealing, state.scores));
  else setText(byId("verdict"), "");
  try {
    history.replaceState(null, "", state.cards.length ? writeAddress(state) : location.pathname + location.search);
  } catch {
    // Some browsers let files have no address of their own: then there is no link to an answer, and all else works.
  }
}

// Text that has not changed is left alone, so that it is not read out again.
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function showHand() {
  setText(byId("hand-count"), say("hand_count", { n: state.cards.length }));
  byId("clear").disabled = !state.cards.length && !byId("typed").value;
  const focused = [...byId("hand").children].indexOf(document.activeElement);
  byId("hand").replaceChildren(...Array.from({ length: HAND_SIZE }, (_, i) => slot(state.cards[i])));
  if (focused >= 0) (byId("hand").querySelectorAll("button")[Math.min(focused, state.cards.length - 1)] || byId("clear")).focus();
  for (const button of byId("cards").children) {
    const taken = state.cards.includes(button.dataset.card);
    button.setAttribute("aria-pressed", taken);
    button.setAttribute("aria-disabled", !taken && state.cards.length === HAND_SIZE);
  }
}

function slot(card) {
  if (!card) return make("span", { class: "slot", role: "img", "aria-label": say("empty") });
  const label = say("put_back", { card: nameOfCard(card) });
  const button = make("button", { type: "button", class: `card ${colour(card)}`, "aria-label": label, title: label }, ...face(card));
  button.addEventListener("click", () => toggle(card));
  return button;
}

function showAnswer(found) {
  const byMatch = found.chances !== null;
  setText(byId("verdict"), verdict(found.suits[0], byMatch));
  byId("verdict").className = "verdict " + (found.suits[0].figures && found.suits[0].upTo[0] ? "yes" : "no");
  setText(byId("situation"), situation());
  byId("chances").replaceChildren(...(byMatch ? showChances(found) : []));
  byId("suits").replaceChildren(...found.suits.map((suit, i) => suitCard(suit, i === 0, byMatch)));
  const few = found.suits.some((suit) => suit.few);
  const legend = [say(byMatch ? "legend_match" : "legend_points")];
  if (few) legend.push(say("legend_few", { few: writeNumber(tables.fewDeals, 0, language) }));
  setText(byId("legend"), legend.join(" "));
}

function verdict({ suit, figures, upTo }, byMatch) {
  if (!figures) return say("verdict_unknown");
  const [low, high] = upTo.map((level) => BIDS[level - 1]);
  const values = { suit: `${symbol(suit)} ${nameOfSuit(suit)}`, bid: low, low, high };
  if (upTo[1] === 0) return say(byMatch ? "verdict_none_match" : "verdict_none");
  if (upTo[0] === 0) return say("verdict_maybe", values);
  return say(upTo[0] === upTo[1] ? "verdict_bid" : "verdict_open", values);
}

function badge(upTo) {
  const [low, high] = upTo.map((level) => BIDS[level - 1]);
  if (upTo[1] === 0) return say("badge_none");
  if (upTo[0] === 0) return say("badge_maybe", { high });
  return upTo[0] === upTo[1] ? say("badge_bid", { bid: low }) : say("badge_open", { low, high });
}

function situation() {
  const dealer = state.scores || state.dealing < 2 ? DEALINGS[state.dealing] : "opponent";
  const said = {
    me: say("situation_me"), partner: say("situation_partner"), opponent: say("situation_opponent"),
    left: say("situation_left"), right: say("situation_right"),
  }[dealer];
  if (!state.scores) return said;
  const [own, left, right] = state.scores.map(scoreText);
  return `${said} ${say("situation_scores", { own, left, right })}`;
}

const scoreText = (score) => {
  const text = writeNumber(score, 0, language);
  return tables.match && score <= tables.match.least ? say("score_least", { score: text }) : text;
};

function showChances({ chances, leaving }) {
  const names = [say("team_own"), say("team_left"), say("team_right")];
  const parts = chances.map((chance, team) => {
    const part = make("span", { class: `part team-${team}` });
    part.style.flexGrow = Math.max(chance, 0.001);
    return part;
  });
  const labels = chances.map((chance, team) =>
    make("span", { class: `key team-${team}` }, make("i"), `${names[team]} `, make("b", {}, writePercent(chance, 1, language))));
  return [
    make("p", { class: "quiet" }, say("chances")),
    make("div", { class: "whole", "aria-hidden": "true" }, ...parts),
    make("p", { class: "keys" }, ...labels),
    make("p", { class: "leaving" }, say("leaving", { chance: writePercent(leaving, 1, language) })),
  ];
}

// ---- One suit as trumps ----

function suitCard(found, first, byMatch) {
  const { suit, letters, figures, upTo } = found;
  const letter = letters.map(letterOf).join(" ") || say("no_trumps");
  const head = make("header", {},
    make("span", { class: `sign ${isRed(suit) ? "red" : "black"}`, "aria-hidden": "true" }, symbol(suit)),
    make("div", { class: "names" },
      make("h3", {}, say("trumps", { suit: nameOfSuit(suit) })),
      make("p", { class: "holding" }, letter)),
    figures ? make("span", { class: `badge ${upTo[0] ? "yes" : upTo[1] ? "open" : "no"}` }, badge(upTo)) : null);
  const card = make("article", { class: `suit-card${first ? " first" : ""}`, "data-suit": suit }, head);
  if (!figures) {
    card.append(make("p", { class: "warn" }, say("too_few", { n: writeNumber(found.ownDeals, 0, language) })));
    return card;
  }
  if (found.anyAces) card.append(make("p", { class: "warn" }, say("any_aces", { n: writeNumber(found.ownDeals, 0, language) })));
  card.append(figureTable(found, byMatch), foot(found));
  return card;
}

function figureTable({ figures, upTo, suit }, byMatch) {
  const heads = [say("column_bid"), say("column_made"), say("column_net")];
  if (byMatch) heads.push(say("column_match"), say("column_needed"));
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  const rows = figures.bids.map((row, i) => {
    const best = upTo[0] === i + 1;
    const cells = [
      make("th", { scope: "row" }, String(row.bid), best ? make("span", { class: "unseen" }, say("row_best")) : null),
      chanceCell(row),
      make("td", { "data-figure": "net" }, writeSigned(row.net, 2, language)),
    ];
    if (byMatch) cells.push(matchCell(row), make("td", { "data-figure": "needed" }, neededText(row.needed)));
    return make("tr", { "data-bid": row.bid, class: best ? "best" : i < upTo[0] ? "pays" : false }, ...cells);
  });
  const caption = make("caption", { class: "unseen" }, say("trumps", { suit: nameOfSuit(suit) }));
  return make("table", { class: byMatch ? "wide" : false }, caption, make("thead", {}, head), make("tbody", {}, ...rows));
}

function chanceCell({ make: p, low, high }) {
  const [value, error] = writeChance(p, low, high, language);
  const limits = say("from_to", { low: writePercent(low, 1, language), high: writePercent(high, 1, language) });
  const fill = make("span", { class: "fill" }), spread = make("span", { class: "spread" });
  fill.style.width = `${100 * p}%`;
  spread.style.left = `${100 * low}%`;
  spread.style.width = `${100 * (high - low)}%`;
  return make("td", { "data-figure": "make", title: limits },
    make("span", { class: "value" }, value), " ", make("small", {}, error),
    make("span", { class: "track", "aria-hidden": "true" }, fill, spread));
}

function matchCell({ chance, error }) {
  const width = Math.max(100 * Z95 * error, 0.1);
  return make("td", { "data-figure": "match" }, make("span", { class: "value" }, writeNumber(100 * chance, 1, language)), " ",
    make("small", {}, `±${writeNumber(width, 1, language)}`));
}

function neededText(needed) {
  if (Number.isNaN(needed)) return MISSING;
  if (needed <= 0) return say("always");
  return needed > 1 ? say("never") : writeNumber(100 * needed, 0, language);
}

function foot({ figures, anyAces, aces, few }) {
  const parts = [
    say("mean", { mean: writeNumber(figures.mean, 2, language) }),
    ...(anyAces ? [] : [say("aces", { n: aces })]),
    say("counted", { n: writeNumber(figures.deals, 0, language) }) + (few ? "*" : ""),
  ];
  return make("p", { class: "foot" }, ...parts.map((part) => make("span", {}, part)));
}

// ---- Questions ----

function setUp() {
  layCards();
  byId("typed").placeholder = say("typed_example", { example: exampleOf(["AS", "KS", "JC", "2S", "10H", "9D"]) });
  byId("typed").addEventListener("input", () => readTyped(true));
  byId("typed").addEventListener("change", () => readTyped(false));
  byId("clear").addEventListener("click", () => {
    Object.assign(state, { cards: [] });
    byId("typed").value = "";
    complain("");
    show();
    byId("cards").querySelector("[tabindex='0']").focus();
  });
  for (const input of document.querySelectorAll("[name=deals], [name=side]")) input.addEventListener("change", readDealer);
  setText(byId("waiting"), say("waiting"));
  if (tables.match) setUpScores();
  else {
    byId("match").hidden = true;
    byId("no-match").hidden = false;
    const reasons = { rules: say("no_match_rules", { most: data.mostTarget }), deals: say("no_match_deals") };
    setText(byId("no-match"), reasons[data.without]);
  }
  setUpNotes();
  window.addEventListener("hashchange", readPlace);
  // What is folded away would be missing on paper.
  let open = false;
  window.addEventListener("beforeprint", () => {
    open = byId("how").open;
    byId("how").open = true;
  });
  window.addEventListener("afterprint", () => (byId("how").open = open));
  readPlace();
}

function setUpScores() {
  const { target, least } = tables.match;
  for (const select of byId("scores").querySelectorAll("select")) {
    for (let score = target - 1; score >= least; score--) select.append(make("option", { value: score }, scoreText(score)));
    select.addEventListener("change", () => {
      state.scores[select.dataset.team] = Number(select.value);
      show();
    });
  }
  byId("weigh").addEventListener("change", () => {
    state.scores = byId("weigh").checked ? [...byId("scores").querySelectorAll("select")].map((select) => Number(select.value)) : null;
    show();
  });
}

function readDealer() {
  const deals = document.querySelector("[name=deals]:checked").value;
  const side = document.querySelector("[name=side]:checked").value;
  state.dealing = DEALINGS.indexOf(deals === "opponent" ? side : deals);
  show();
}

// Goes where the address says, and shows on all controls what it asks for.
function readPlace() {
  const { error, ...asked } = readAddress(location.hash);
  Object.assign(state, asked);
  if (!tables.match) state.scores = null;
  state.cards = inOrder(state.cards);
  byId("typed").value = exampleOf(state.cards);
  const deals = state.dealing < 2 ? DEALINGS[state.dealing] : "opponent";
  document.querySelector(`[name=deals][value=${deals}]`).checked = true;
  document.querySelector(`[name=side][value=${state.dealing === 3 ? "right" : "left"}]`).checked = true;
  byId("weigh").checked = state.scores !== null;
  for (const select of byId("scores").querySelectorAll("select")) {
    const { target, least } = tables.match || { target: 1, least: 0 };
    const score = Math.min(Math.max((state.scores || [0, 0, 0])[select.dataset.team], least), target - 1);
    select.value = score;
    if (state.scores) state.scores[select.dataset.team] = score;
  }
  complain("");
  if (error) complainOf(error);
  show();
}

function setUpNotes() {
  byId("how-text").append(...data.how.map((text) => make("p", {}, text)));
  byId("facts").append(...data.facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

setUp();
