"""Every column of an export: its meaning, and in data files its type, unit and levels."""

from typing import NamedTuple

WHOLE, NUMBER, TEXT, LEVEL, TRUTH, TIME = (
    "integer",
    "number",
    "string",
    "category",
    "boolean",
    "dateTime",
)
"""Types of values; a category has few values, which are listed, a dateTime is ISO 8601 UTC."""


class Column(NamedTuple):
    """A column of data files.

    Attributes
    ----------
    meaning : str
    type : str
        One of the types above.
    unit : str
        Empty if there is no unit.
    levels : tuple of str
        All possible values of a category; if empty, those found.
    """

    meaning: str
    type: str
    unit: str = ""
    levels: tuple[str, ...] = ()


COLUMNS = {
    "age_band": Column("Age band of the participant, if given", LEVEL),
    "act_id": Column("One event of the conductor; numbered within the sitting, in order", WHOLE),
    "act_kind": Column(
        "What the conductor did; confirm and set_aside: a photo, describe: a group",
        LEVEL,
        levels=(
            "place",
            "confirm",
            "move",
            "merge",
            "split",
            "take_away",
            "describe",
            "set_aside",
            "undo",
            "import",
            "finish",
            "reopen",
        ),
    ),
    "answer": Column("The chosen option, or the free-text answer", TEXT),
    "answered_at": Column("When the score was given", TIME),
    "assessors": Column("Number of people who sorted together as one unit", WHOLE),
    "at": Column("When it happened", TIME),
    "by": Column("Who withdrew the data", LEVEL, levels=("participant", "researcher")),
    "card": Column("Number printed on the card, within its set", WHOLE),
    "conductor_id": Column("Pseudonym of the researcher who recorded it", TEXT),
    "consent_given": Column("How the assessor agreed", LEVEL, levels=("tablet", "paper")),
    "consent_version": Column("Version of the consent text that the participant agreed to", WHOLE),
    "language": Column("Language of the pages that the participant saw, as in HTML", LEVEL),
    "corners": Column(
        "Corners of the symbol in the photo, x y in pixels, upper left first and clockwise", TEXT
    ),
    "day": Column("Day for which the sitting was planned", TEXT),
    "deck": Column("Letter of the deck, one printed copy of the set", LEVEL),
    "double_entry_of": Column(
        "The sitting whose table was recorded a second time; not counted", TEXT
    ),
    "excluded": Column(
        "true if the researcher excluded the sitting, or its participant, from every result", TRUTH
    ),
    "finished_at": Column("When the sitting was finished", TIME),
    "gender": Column("Gender of the participant, if given", LEVEL),
    "group_id": Column("Number of the group, local to one participant and set", WHOLE),
    "group_name": Column("Name of the group", TEXT),
    "group_note": Column("Note about the group", TEXT),
    "how": Column(
        "How the card was read; hand if the conductor chose its group",
        LEVEL,
        levels=("decoded", "matched", "scanner", "camera", "hand", "import"),
    ),
    "imported": Column("true if the grouping was imported from another tool", TRUTH),
    "kind": Column(
        "Whether the query counts (main), was for practice, or was repeated (repeat)",
        LEVEL,
        levels=("main", "practice", "repeat"),
    ),
    "kind_of_rule": Column(
        "Kind of rule",
        LEVEL,
        levels=("failed_checks", "fast_answers", "fast_sitting", "same_answer", "unfinished"),
    ),
    "limit_minutes": Column("Time limit", WHOLE, unit="minutes"),
    "looking_over": Column("true if the score was given while reviewing the whole query", TRUTH),
    "margin": Column("Margin of the best match over the second; matched cards only", NUMBER),
    "missing_reason": Column("Reason for finishing the sitting with cards missing", TEXT),
    "participant_id": Column(
        "Pseudonym of the participant; P01+P02 for two who sorted as one unit", TEXT
    ),
    "photo_id": Column("Photo in which the card was read; numbered within the sitting", WHOLE),
    "place_in_order": Column("Place of the set in the assessor's order, from 1", WHOLE),
    "placed": Column("Cards in a group", WHOLE),
    "placed_twice": Column("Cards in a group in both sittings", WHOLE),
    "position": Column("Place of the query in the participant's order, from 1", WHOLE),
    "query_id": Column("The sketch against which images were scored", TEXT),
    "question": Column("Name of a question before or after the task", LEVEL),
    "reason": Column("Reason for the correction or exclusion", TEXT),
    "removed_at": Column("When the rule was removed", TIME),
    "response_ms": Column("Time from showing the image to the score", NUMBER, unit="milliseconds"),
    "retest_ari": Column("Adjusted Rand index of a sitting and its retest", NUMBER),
    "retest_f": Column("BCubed F of a sitting and its retest", NUMBER),
    "retest_id": Column("Code of the retest", TEXT),
    "retest_of": Column("The sitting whose set the same assessor sorted again; not counted", TEXT),
    "row_id": Column("Number of the row", WHOLE),
    "rule": Column("Number of the exclusion rule, in the order in which they were set", WHOLE),
    "scale_best": Column("End of the scale that is most similar", LEVEL, levels=("low", "high")),
    "score": Column("Score on the task's scale; empty if the image did not load", NUMBER),
    "session_id": Column("Code of the sitting: T012 at a table, R012 on the web", TEXT),
    "set_id": Column("Name of the stimulus set", LEVEL),
    "shown_at": Column("When the image was shown", TIME),
    "shown_position": Column("Place of the image in the grid, from 1", WHOLE),
    "simulated": Column("true if a program made the judgment", TRUTH),
    "started_at": Column("When the sitting was started", TIME),
    "state": Column("State of the sitting, or its ending", LEVEL),
    "stimulus_id": Column("The sketch or image", TEXT),
    "task_id": Column("Name of the ranking task", LEVEL),
    "threshold": Column("Threshold of the rule", NUMBER),
    "undone_at": Column("When the exclusion was undone; empty if it is in force", TIME),
    "undoes_id": Column("The event that this one undoes", WHOLE),
}
"""Columns of data files."""

FURTHER_COLUMNS = {
    "action": "What was done",
    "ari": "Adjusted Rand index of two participants' groupings",
    "both": "Participants who placed both sketches",
    "bytes": "Size of the original file",
    "changes": "Changed values, before and after, as JSON; null for values that are not recorded",
    "card_id": "Number printed on the card, within its set",
    "card_label": "The sketch",
    "category_id": "Number of the group, local to one participant",
    "category_label": "Name of the group",
    "code": "The 14 digits of the card's symbol",
    "edition": "Edition of the deck; cards of an older edition do not belong on the table",
    "f": "BCubed F of two participants, on the sketches that both placed",
    "f_adjusted": "(f - f_random) / (1 - f_random)",
    "f_random": "Expected BCubed F of random groupings with the same group sizes",
    "height_mm": "Height of the card as trimmed, in millimetres",
    "height_px": "Height of the picture, in pixels",
    "mean": "Mean score of all participants",
    "media_type": "Media type of the original file",
    "n": "Number of participants who scored the image",
    "name": "Code or name of the object",
    "page": "Page of the printed sheets, from 1; empty for decks printed by earlier versions",
    "participant_a": "One of two participants, by pseudonym: the system of BCubed",
    "participant_b": "The other participant: the reference of BCubed",
    "precision": "BCubed precision",
    "rand": "Rand index of two participants' groupings",
    "rank": "Rank of the mean in its query, 1 is most similar; ties share the mean rank",
    "recall": "BCubed recall",
    "sd": "Standard deviation of the scores",
    "se": "Standard error of the mean",
    "set": "Name of the stimulus set",
    "sha256": "Checksum of the original file",
    "stimuli": "Sketches that both participants placed",
    "stimulus": "The sketch on the card",
    "stimulus_a": "One of two sketches; can be the same as the other",
    "stimulus_b": "The other sketch",
    "subject": "Kind of the changed object",
    "together": "Participants who put both sketches into one group",
    "user_id": "Pseudonym of the participant",
    "who": "Author: a researcher as a pseudonym, a participant, or the terminal or server",
    "width_mm": "Width of the card as trimmed, in millimetres",
    "width_px": "Width of the picture, in pixels",
    "x_mm": "Left edge of the card as trimmed, from the left edge of its page, in millimetres",
    "y_mm": "Upper edge of the card as trimmed, from the upper edge of its page, in millimetres",
}
"""Columns of gold standards and materials that are not in data files."""
