"""Tables of an export: one writer, every column described."""

import csv

from study_app.core.spreadsheets import cell

COLUMNS = {
    "age_band": "Age of the participant, in bands, where they told it",
    "act_id": "What the conductor did at once; counted within the sitting, in order",
    "act_kind": "place, confirm (a photo), move, merge, split, take_away, describe (a group), "
    "set_aside (a photo), undo, import, finish or reopen",
    "answer": "What the participant chose",
    "answered_at": "When the score was given, ISO 8601 UTC",
    "assessors": "How many people sorted together as one unit",
    "at": "When it happened, ISO 8601 UTC",
    "by": "Who asked for the withdrawal: participant or researcher",
    "card": "Number printed on the card, within its set",
    "conductor_id": "Who recorded it, as a pseudonym",
    "consent_version": "Version of the consent text that the participant agreed to",
    "corners": "Corners of the symbol in the photo, x y in pixels, upper left first and clockwise",
    "deck": "Letter of the deck, one printed copy of the set",
    "double_entry_of": "The sitting whose table was recorded a second time; not counted",
    "finished_at": "When the sitting was finished, ISO 8601 UTC",
    "gender": "Gender of the participant, where they told it",
    "group_id": "Number of the group, local to one participant and set",
    "group_name": "What the group was called",
    "group_note": "What was noted about the group",
    "how": "How the card was read: decoded, matched, scanner, camera, hand or import",
    "imported": "true where the grouping was sorted elsewhere and imported",
    "kind": "main (counts), practice or repeat",
    "limit_minutes": "Time limit, in minutes",
    "looking_over": "true where the score was given while looking over the whole query",
    "margin": "How far the best match was ahead of the second; matched cards only",
    "missing_reason": "Why the sitting was finished without every card",
    "participant_id": "Pseudonym of the participant; P01+P02 sorted as one unit",
    "photo_id": "Photo in which the card was read; counted within the sitting",
    "placed": "Cards that lie in a group",
    "position": "Place of the query in the participant's order, from 1",
    "query_id": "The sketch against which images were scored",
    "question": "Name of a question about the participant",
    "reason": "Why something was corrected",
    "response_ms": "From the image being shown to the score, in milliseconds",
    "row_id": "Number of the row",
    "scale_best": "End of the scale that is most similar: low or high",
    "score": "Score on the task's scale; empty where the image did not load",
    "session_id": "Code of the sitting: T012 at a table, R012 on the web",
    "set_id": "Name of the stimulus set",
    "shown_at": "When the image was shown, ISO 8601 UTC",
    "shown_position": "Place of the image in the grid, from 1",
    "simulated": "true where a program made the judgment",
    "started_at": "When the sitting was started, ISO 8601 UTC",
    "state": "planned, sorting, recording, finished, open or given up",
    "stimulus_id": "The sketch or image",
    "task_id": "Name of the ranking task",
    "time_up": "true where the time limit ended the sitting",
    "undoes_id": "The act that this one takes back",
}

FURTHER_COLUMNS = {
    "ari": "Adjusted Rand index of two participants' groupings",
    "both": "Participants who placed both sketches",
    "bytes": "Size of the original file",
    "card_id": "Number printed on the card, within its set",
    "card_label": "The sketch",
    "category_id": "Number of the group, local to one participant",
    "category_label": "What the group was called",
    "code": "The 14 digits of the card's symbol",
    "edition": "Edition of the print; a card of an older one does not belong on the table",
    "f": "BCubed F of two participants, on the sketches that both placed",
    "f_adjusted": "(f - f_random) / (1 - f_random)",
    "f_random": "BCubed F expected of random groupings of the same group sizes",
    "height_mm": "Height of the card as trimmed, in millimetres",
    "height_px": "Height of the picture, in pixels",
    "mean": "Mean score of all participants",
    "media_type": "Form of the original file",
    "n": "How many participants scored the image",
    "page": "Page of the printed sheets, from 1; empty of a deck printed before it was noted",
    "participant_a": "One of two participants, by pseudonym: the system of BCubed",
    "participant_b": "The other: the reference of BCubed",
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
    "stimulus_a": "One of two sketches; also the same as the other",
    "stimulus_b": "The other sketch",
    "together": "Participants who put both sketches into one group",
    "user_id": "Pseudonym of the participant",
    "width_mm": "Width of the card as trimmed, in millimetres",
    "width_px": "Width of the picture, in pixels",
    "x_mm": "Left edge of the card as trimmed, from the left edge of its page, in millimetres",
    "y_mm": "Upper edge of the card as trimmed, from the upper edge of its page, in millimetres",
}
"""Columns of the gold standards and materials that no data file has."""

NAMED_AFTER_IDS = ("similarity.csv", "wide.csv")
"""Tables whose columns are sketches or participants."""


class Tables:
    """The data files of one export; it remembers which columns they have.

    Attributes
    ----------
    used : dict of str to str
        Columns of all tables written so far, with what they mean.
    """

    def __init__(self, folder):
        self.folder = folder
        self.used = {}

    def write(self, path, columns, rows):
        """Write one data file; each row holds a value a column."""
        self.used |= {column: COLUMNS[column] for column in columns}
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([cell(value) for value in row] for row in rows)

    def describe(self, places):
        """Take up the columns of tables that others wrote into folders of the export."""
        known = COLUMNS | FURTHER_COLUMNS
        for path in (path for place in places for path in (self.folder / place).rglob("*.csv")):
            if path.name not in NAMED_AFTER_IDS:
                with path.open(encoding="utf-8", newline="") as file:
                    self.used |= {column: known[column] for column in next(csv.reader(file))}
