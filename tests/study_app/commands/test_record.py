"""`sketch-study record`: photos of a printed table into a sitting, and the closure check."""

import io

import pytest
from PIL import Image, ImageDraw

from printables.reading.reader import read_photo
from study_app import cli
from study_app.core.database import db, writing
from study_app.models import Participant, Photo, Scan, StimulusSet
from study_app.models.rights import AssessorText
from study_app.sittings import consent, sittings
from study_app.sittings.groupings import groupings_of_set
from study_app.sittings.recording import recording_page
from tests.printed_table import plan_sitting, print_set
from tests.table_fixtures import photo_files

pytestmark = pytest.mark.slow

GROUPS = [[1, 2, 3], [4, 5, 6, 7], [8], [9, 10, 11, 12]]


@pytest.fixture
def printed(app, study_id, tmp_path):
    return print_set(app, study_id, tmp_path, headers=9)


@pytest.fixture
def record(app, tmp_path, capsys):
    """Run the verb on photos; return its exit status and output."""

    def run(*arguments, **photos):
        for name, content in photos.items():
            (tmp_path / f"{name}.jpg").write_bytes(content)
        paths = [str(tmp_path / f"{name}.jpg") for name in photos]
        instance = str(app.config["SETTINGS"].instance)
        database = app.config["SETTINGS"].database_url
        with pytest.raises(SystemExit) as end:
            cli.main(["record", *arguments, *paths, "--instance", instance, "--database", database])
        output = capsys.readouterr()
        return end.value.code, output.out + output.err

    return run


def halves(photo):
    """A photo of a table as two photos that overlap."""
    picture = Image.open(io.BytesIO(photo))
    width, height = picture.size
    parts = (0, 0, width * 2 // 3, height), (width // 3, 0, width, height)
    files = io.BytesIO(), io.BytesIO()
    for part, file in zip(parts, files, strict=True):
        picture.crop(part).save(file, "JPEG", quality=90)
    return [file.getvalue() for file in files]


def grouped(study_id, code="T001"):
    sitting = sittings.find(db.session, study_id, code)
    card = {s.id: s.card for s in sitting.set.stimuli}
    groups = recording_page.table(db.session, sitting)["groups"]
    return sorted(sorted(card[s] for s in group["cards"]) for group in groups)


def test_a_table_in_two_photos_that_overlap(app, study_id, printed, record):
    plan_sitting(app, study_id, printed.set_id)
    left, right = halves(printed.photo(GROUPS))
    status, output = record("T001", left=left, right=right)
    assert status == 0
    assert output.endswith("12 of 12 cards in 4 groups.\nEvery card is in exactly one group.\n")
    assert record("T001", left=left, right=right) == (status, output)
    with app.app_context():
        assert grouped(study_id) == GROUPS
        assert db.session.query(Photo).count() == 2
        assert db.session.query(Scan).count() == 12
        scan = db.session.query(Scan).first()
        assert scan.how == "decoded" and len(scan.corners) == 4 and scan.photo_id
        kept = app.config["SETTINGS"].instance / "photos"
        assert left in [path.read_bytes() for path in kept.glob("*/*")]
    assert record("T001", "--finish", left=left)[0] == 0
    with app.app_context():
        found = groupings_of_set(db.session, db.session.get(StimulusSet, printed.set_id))
        assert found.matrix.tolist() == [[0, 0, 0, 1, 1, 1, 1, 2, 3, 3, 3, 3]]
    status, output = record("T001", left=left)
    assert status == 1 and "T001 is finished" in output and output.count("\n") == 1


def test_an_unread_card_is_reported_once(app, study_id, printed, record):
    plan_sitting(app, study_id, printed.set_id)
    photo = printed.photo(GROUPS)
    corners = read_photo(photo).symbols[0].corners
    with Image.open(io.BytesIO(photo)) as picture:
        middle = corners.mean(axis=0)
        square = [tuple(middle + (corner - middle) * 0.8) for corner in corners]
        ImageDraw.Draw(picture).polygon(square, fill="black")
        covered = io.BytesIO()
        picture.save(covered, "JPEG", quality=95)
    status, output = record("T001", covered=covered.getvalue())
    assert status == 0 and "11 of 12 cards" in output
    assert output.count("not read") == 1, output


def test_header_cards_number_the_groups(app, study_id, printed, record):
    plan_sitting(app, study_id, printed.set_id)
    laid = [["Group 4", *GROUPS[0]], GROUPS[1], ["Group 2", *GROUPS[3]]]
    status, output = record("T001", table=printed.photo(laid))
    assert status == 0 and "11 of 12 cards in 3 groups." in output
    one, other = printed.photo([["Group 7", 8]]), printed.photo([["Group 1", "Group 3", 8]], 2)
    status, output = record("T001", "--one-group", one=one)
    status, output = record("T001", "--one-group", other=other)
    assert "Header cards 1, 3 are in one photo of one group and are ignored." in output
    assert "Card 8 is already in group 7 and stays there." in output
    with app.app_context():
        sitting = sittings.find(db.session, study_id, "T001")
        groups = recording_page.table(db.session, sitting)["groups"]
        assert {g["number"]: len(g["cards"]) for g in groups} == {2: 4, 4: 3, 5: 4, 7: 1}


def test_one_group_per_photo_into_a_new_sitting(app, study_id, printed, record):
    photos = {f"group{at}": printed.photo([g], at) for at, g in enumerate(GROUPS[:3])}
    arguments = ["T007", "--one-group", "--assessor", "P09", "--finish"]
    status, output = record(*arguments, **photos)
    assert status == 1 and "enter why" in output
    status, output = record(*arguments, "--missing", "lost in the post", **photos)
    assert status == 0
    assert "8 of 12 cards in 3 groups.\nIn no group: cards 9–12." in output
    with app.app_context():
        assert grouped(study_id, "T007") == GROUPS[:3]
        sitting = sittings.find(db.session, study_id, "T007")
        assert (sitting.assessor, sitting.missing_reason) == ("P09", "lost in the post")


def test_refusals_record_nothing(app, study_id, printed, record, tmp_path):
    plan_sitting(app, study_id, printed.set_id)
    blank = io.BytesIO()
    Image.new("L", (600, 400), 128).save(blank, "JPEG")
    good = printed.photo(GROUPS)
    for arguments, photos, message in (
        (["T002"], {"a": good}, "no sitting 'T002'; give the assessor, e.g. --assessor"),
        (["T001"], {"a": good, "b": b"not a photo"}, "b.jpg: is not a photo"),
        (["T001"], {"a": b""}, "a.jpg: is empty"),
        (["T001"], {"a": blank.getvalue()}, "No card of this table"),
        (["T003", "--assessor", "P1"], {"a": blank.getvalue()}, "No card of this study"),
        (["T003", "--assessor", "Ada L"], {"a": good}, "not an assessor's code"),
    ):
        status, output = record(*arguments, **photos)
        assert status == 1 and message in output and output.count("\n") == 1, output
    status, output = record("T001", str(tmp_path / "nowhere.jpg"))
    assert status == 1 and "nowhere.jpg: cannot be opened" in output
    with app.app_context():
        assert db.session.query(Scan).count() == 0


def test_a_photo_without_a_card_is_refused_with_the_cause(app, study_id, printed, record):
    plan_sitting(app, study_id, printed.set_id)
    white = io.BytesIO()
    Image.new("L", (1200, 900), 255).save(white, "JPEG")
    status, output = record("T001", a=white.getvalue())
    assert status == 1 and "the photo is overexposed" in output and "closer" not in output


def test_a_sitting_planned_for_refused_photos_is_deleted(app, study_id, printed, record):
    blank = io.BytesIO()
    Image.new("L", (600, 400), 128).save(blank, "JPEG")
    arguments = ["T004", "--assessor", "P1", "--set", "shapes"]
    status, output = record(*arguments, a=blank.getvalue())
    assert status == 1 and "No card of this table" in output
    status, output = record("T004", "--assessor", "P1", a=b"")
    assert status == 1 and "a.jpg: is empty" in output
    with app.app_context(), writing() as session:
        assert sittings.all_of(session, study_id) == []
        consent.add_version(session, study_id, "Sort.", "I agree.")
    good = printed.photo(GROUPS)
    status, output = record("T004", "--assessor", "P1", a=good)
    assert status == 1 and "P1: consent is not recorded" in output
    with app.app_context(), writing() as session:
        # Nothing is kept of somebody who has not agreed, in no row and in no file.
        assert session.query(Participant).all() == []
        assert photo_files(app) == []
        session.query(AssessorText).delete()
    status, output = record("T004", "--assessor", "P1", a=good)
    assert status == 0, output
    status, output = record("T004", "--assessor", "P1", a=blank.getvalue())
    assert status == 1
    with app.app_context():
        assert grouped(study_id, "T004") == GROUPS


def test_two_copies_of_a_card_upside_down_and_a_file_cut_off(app, study_id, printed, record):
    plan_sitting(app, study_id, printed.set_id)
    photo = printed.photo([[1, 2, 3], [1, 4, 5, 6]])
    status, output = record("T001", table=photo[: len(photo) // 2])
    assert status == 1
    assert output.endswith("table.jpg: is damaged or truncated; copy it again from the camera.\n")
    turned = io.BytesIO()
    Image.open(io.BytesIO(photo)).rotate(180).save(turned, "JPEG", quality=92)
    status, output = record("T001", table=turned.getvalue())
    assert status == 0 and "6 of 12 cards in 2 groups." in output
    assert output.count("Card 1 appears twice, in groups ") == 1


def test_cards_of_another_deck_are_reported(app, study_id, printed, record):
    status, output = record("T001", "--assessor", "P1", "--deck", "B", a=printed.photo(GROUPS))
    assert status == 1 and "12 cards are of deck A; this sitting is for deck B" in output


def test_an_imported_sitting_has_no_table(app, study_id, printed, record):
    plan_sitting(app, study_id, printed.set_id)
    with app.app_context(), writing() as session:
        sitting = sittings.find(session, study_id, "T001")
        sitting.state, sitting.imported_from, sitting.deck_number = "finished", "a.csv", None
    status, output = record("T001", a=printed.photo(GROUPS))
    assert status == 1 and "T001 is finished; it was imported" in output
