"""The README of an export: contents, and data that were left out."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from basics.plurals import counted
from study_app.models import Participant, Study
from study_app.participation.people import exclusion
from study_app.results.exports.left_out import withdrawals

TEXT = """# {name}

{origin}

| where | what |
|---|---|
| `data/description-participants_data.csv` | the participants, by pseudonym |
| `data/description-sittings_data.csv` | sittings at a table |
| `data/session-…_task-tablesort_data.csv` | one sitting: the group of each sketch |
| `data/subject-…_task-rating_data.csv` | one participant: the score of each image |
| `data/raw/` | every row as it was recorded, with corrections; photos of the tables |
| `data/derived/groupings.csv` | all finished groupings, as `analyse groupings` reads them |
| `data/derived/set-…/` | a set's gold standard: similarity, counts, consensus, agreement |
| `data/derived/task-…/` | a ranking task's ground truth, also as TREC qrels |
| `data/derived/task-…/queries/` | its queries (the first 1,000), images in the order of the mean |
| `materials/` | protocol, consent texts, checksums of the stimuli, lists of the cards |
| `materials/columns.csv` | what the columns of `data/derived/` and `materials/` mean |
| `dataset_description.json` | meaning, type, range and levels of every data column (Psych-DS) |

FreeSortR and DistatisR read `data/derived/set-…/wide.csv`. kardSort's analyses and the Python
package `cardsort` read `kardsort.csv`; `cardsort` needs every user to have placed every card.
`similarity.mat` opens in MATLAB and Octave, `similarity.npz` in NumPy. The columns of `wide.csv`
and `similarity.csv` are participants and sketches; they are not described.

Conventions: CSV in UTF-8 with a header; times are ISO 8601 UTC; an empty cell is "not known" or
"does not apply". A group's number is local to one participant. A sketch without a row was not
placed; one that nobody placed is in no gold standard. A text that a spreadsheet would run as a
formula (it begins with = + - @, a tab or a return) has an apostrophe in front, in every file.
Relevance in the qrels is graded: the mean score as 0 (the dissimilar end of the scale) to 100 (the
similar end), rounded. Use it for nDCG, not for MAP, precision and recall, which count every image
above 0 as relevant.

Not included: names of researchers, links, platform IDs, notes on sittings, metadata of photos,
try-outs. {withdrawn}

**Read before you share:** `data/description-words_data.csv`, if present, has what
participants wrote in their own words, which may identify them. Before you publish the data, delete
the file or read every answer.

{excluded}

"""

MARKS = (
    "They are marked as simulated: in a column or field `simulated` of every table and record, of "
    "`similarity.npz` and `.mat`, and in a line of every figure. `similarity.csv`, `wide.csv`, "
    "`kardsort.csv` and the qrels have no place for a mark; `agreement.json` beside them has it."
)


def readme(session: Session, study: Study, missing: Sequence[str]) -> str:
    """The README of a study's export, in Markdown; it lists `missing` files."""
    origin = f"Judgments collected by {study.lab}." if study.lab else "Judgments of one study."
    if study.simulated:
        origin += " **Simulated: a program made these judgments; no people took part.** " + MARKS
    elif _some_simulated(session, study):
        origin += " **Some of them are simulated: a program made them.** " + MARKS
    text = TEXT.format(
        name=study.name,
        origin=origin,
        withdrawn=_withdrawn(session, study),
        excluded=_excluded(session, study),
    )
    if missing:
        text += "These files were missing on the server; they are not included, or drawn grey:\n\n"
        text += "".join(f"- `{place}`\n" for place in missing) + "\n"
    return text


def _some_simulated(session: Session, study: Study) -> bool:
    chosen = select(Participant.id).where(Participant.study_id == study.id, Participant.simulated)
    return session.scalar(chosen.limit(1)) is not None


def _withdrawn(session: Session, study: Study) -> str:
    count = len(withdrawals(session, study.id))
    if not count:
        return "No sitting was withdrawn."
    were = counted(count, "sitting was withdrawn", "sittings were withdrawn")
    return f"{were} and not included; `data/description-withdrawals_data.csv` has the dates."


def _excluded(session: Session, study: Study) -> str:
    count = len(exclusion.current(session, study.id))
    if not count:
        return "No data were excluded."
    found = counted(count, "exclusion")
    return (
        f"{found}: `data/description-exclusions_data.csv` has who or what was excluded, and why. "
        "Gold standards are computed without the excluded data; `included.json` beside each "
        "counts people with and without them. The recorded rows still include them."
    )
