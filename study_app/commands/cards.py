"""`sketch-study print`: the cards of sets as a PDF, with their manifest."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from basics.verbs import force_option
from study_app.commands.instance import existing_instance_options

if TYPE_CHECKING:
    from study_app.cards.printing import PrintChoice

OFFSET = click.Tuple([float, float])


@click.command("print")
@click.argument("set_names", metavar="SET...", nargs=-1, required=True)
@click.option("--out", metavar="PDF", required=True, help="The PDF to write.")
@click.option("--manifest", metavar="CSV", required=True, help="The CSV list of cards to write.")
@click.option("--study", metavar="NAME", help="The study [if there is only one].")
@click.option("--deck", "decks", multiple=True, help="A [the first], or several: A,B or A-D.")
@click.option("--paper", default="a4", show_default=True, help="a4, letter or mm: 320x450.")
@click.option(
    "--qr",
    type=click.Choice(["front", "back"]),
    default="front",
    show_default=True,
    help="Side of the card with the code.",
)
@click.option("--card", default="66x46", show_default=True, metavar="WxH", help="A card in mm.")
@click.option("--gutter", default=0.0, show_default=True, help="Space between cards, mm.")
@click.option("--margin", default=5.0, show_default=True, help="Smallest margin, mm.")
@click.option(
    "--flip",
    type=click.Choice(["long", "short"]),
    default="long",
    show_default=True,
    help="Edge on which the printer flips the sheet.",
)
@click.option("--offset", type=OFFSET, default=(0, 0), help="Shift backs right and down, mm.")
@click.option("--marks/--no-marks", default=True, help="Cut marks [yes].")
@click.option("--only", metavar="CARDS", help="Reprint lost cards: 12,40-44.")
@click.option("--headers", default=0, metavar="N", help="Add N header cards (Group 1 …).")
@click.option("--calibration", is_flag=True, help="Add a sheet with rulers.")
@click.option(
    "--part",
    type=click.IntRange(2),
    metavar="N",
    help="Cards in each deck, for partial decks.",
)
@click.option(
    "--seed", type=click.IntRange(0, 2**31 - 1), default=1, help="Random seed of partial decks [1]."
)
@force_option
@existing_instance_options
def print_(
    set_names: tuple[str, ...],
    out: str,
    manifest: str,
    study: str | None,
    decks: tuple[str, ...],
    force: bool,
    **chosen: Any,
) -> None:
    """Print the cards of SETs, and store the decks.

    Example: sketch-study print chairs --out cards.pdf --manifest cards.csv --deck A,B --qr back
    """
    from flask import current_app

    from basics.output import output_file
    from basics.progress import progress_bar
    from study_app.cards import printing
    from study_app.core.database import own_session
    from study_app.stimuli import stimuli
    from study_app.studies import studies

    if Path(out).resolve() == Path(manifest).resolve():
        raise click.UsageError("--out and --manifest are the same file. Give two different names.")
    if chosen["only"] is not None and not chosen["only"].strip():
        raise click.UsageError("--only names no card; give card numbers such as 12,40-44.")
    with own_session() as session:
        study_id = studies.named(session, study).id
        sets = [stimuli.set_named(session, study_id, name) for name in set_names]
        set_ids = tuple(dict.fromkeys(chosen.id for chosen in sets))
    choice = _choice(set_ids, printing.letters(",".join(decks) if decks else "A"), chosen)
    with (
        output_file(out, force) as pdf,
        output_file(manifest, force) as listed,
        progress_bar("Drawing") as progress,
    ):
        run = printing.print_cards(
            current_app.config["SETTINGS"], study_id, choice, (pdf, listed), progress
        )
    click.echo(f"{run.sentence()}: {out}, {manifest}")
    for note in run.not_shown():
        click.echo(note)


def _choice(
    set_ids: tuple[int, ...], decks: tuple[int, ...], chosen: Mapping[str, Any]
) -> PrintChoice:
    from printables.cards.card import CardLayout
    from printables.sheets.papers import paper_size
    from printables.sheets.sheet import SheetLayout
    from study_app.cards.printed_decks import Part
    from study_app.cards.printing import PrintChoice, card_numbers, card_size

    layout = SheetLayout(
        CardLayout(*card_size(chosen["card"]), chosen["qr"]),
        paper_size(chosen["paper"]),
        chosen["gutter"],
        chosen["margin"],
        chosen["flip"],
        tuple(chosen["offset"]),
    )
    return PrintChoice(
        set_ids,
        decks,
        layout,
        part=Part(chosen["part"], chosen["seed"]) if chosen["part"] else None,
        only=card_numbers(chosen["only"] or ""),
        headers=chosen["headers"],
        calibration=chosen["calibration"],
        marks=chosen["marks"],
    )
