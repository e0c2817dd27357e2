"""``deal INDEX``: replay deals, as people would tell them or as JSON."""

import json
from typing import Annotated

import typer

from schmier_sim.cli import parse
from schmier_sim.cli.console import Console
from schmier_sim.cli.options import (
    DEFAULT_SAMPLE,
    DEFAULT_SEED,
    BiddingOption,
    BotsOption,
    DealersScoresOption,
    ModeOption,
    RulesOption,
    SampleOption,
    SeedOption,
    SuitsOption,
    TempersOption,
    make_setup,
)

#: Deals replayed at a time: memory stays small however many are asked for.
BLOCK = 1000


def deal(
    console: Console,
    index: Annotated[
        int,
        typer.Argument(
            parser=parse.whole(0, parse.MOST_DEALS, "7"), metavar="INDEX", help="Number of the deal, from 0."
        ),
    ],
    count: Annotated[
        int,
        typer.Option("--count", parser=parse.deals, metavar="N", help="So many deals, from INDEX on."),
    ] = 1,
    seed: SeedOption = DEFAULT_SEED,
    mode: ModeOption = "declare",
    sample: SampleOption = DEFAULT_SAMPLE,
    bots: BotsOption = "club",
    tempers: TempersOption = "normal",
    bidding: BiddingOption = None,
    scores: DealersScoresOption = None,
    rules: RulesOption = "standard",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    suits: SuitsOption = "letters",
) -> None:
    """Replay deals, card by card.

    Hands, auction, exchange, tricks, points and scores. The same seed, mode, sample, bots, tempers, bidding,
    scores and rules as in `simulate` give the same deals.
    """
    setup = make_setup(
        console,
        seed=seed,
        mode=mode,
        sample=sample,
        bots=bots,
        tempers=tempers,
        rules=rules,
        bidding=bidding,
        scores=scores,
    )
    from schmier_sim.analysis.compiling import say_compiling
    from schmier_sim.kernel.replay import replay
    from schmier_sim.kernel.simulate import is_ready
    from schmier_sim.present.replay import tell
    from schmier_sim.present.words import bidding_words

    if not is_ready():
        say_compiling(console.say)
    for start in range(index, index + count, BLOCK):
        records = replay(setup, start, min(BLOCK, index + count - start))
        for number, record in enumerate(records, start):
            if as_json:
                row = record.to_json(seed=seed, index=number, rules_name=setup.rules.name)
                console.data(json.dumps(row, ensure_ascii=False))
            else:
                text = tell(
                    record,
                    index=number,
                    seed=seed,
                    rules=setup.rules,
                    bots=bots,
                    tempers="" if tempers == "normal" else tempers,
                    mode=mode,
                    sample=sample,
                    bidding=bidding_words(setup),
                    symbols=suits == "symbols",
                )
                console.data(text if number == index else "\n" + text)
