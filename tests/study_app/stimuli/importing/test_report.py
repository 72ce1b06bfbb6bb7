"""The report of an import: its sentence, and its limit on notes."""

from study_app.stimuli.importing.report import MOST_NOTES, ImportReport


def test_the_sentence_counts_what_was_imported_skipped_and_refused():
    report = ImportReport(sets={"birds": 1200, "cars": 34})
    assert report.sentence() == "1,234 imported."
    report.skip("a.png", "is the same picture as 'b'")
    report.refuse("c.txt", "is not a picture that can be imported")
    assert report.sentence() == "1,234 imported, 1 skipped (duplicates), 1 refused."


def test_notes_beyond_the_limit_are_counted():
    report = ImportReport()
    for number in range(MOST_NOTES + 3):
        report.refuse(f"{number}.png", "is corrupt")
    assert len(report.refused) == MOST_NOTES
    assert report.count("refused") == MOST_NOTES + 3
    assert report.sentence() == f"0 imported, {MOST_NOTES + 3:,} refused."
