"""Odd photos, by the page, `read` and `record`: huge, of a monitor, with another deck's card."""

import csv
import io
from dataclasses import replace

import pytest
from PIL import Image

from printables.cards.manifest import read_manifest
from study_app.cards.printing import PrintChoice, print_cards
from study_app.cli import main
from study_app.core.database import db
from study_app.simulation.demo.tables import cut_cards
from tests.bench.phones import off_a_screen
from tests.bench.scenes import Scene
from tests.printed_table import plan_sitting, print_set

pytestmark = pytest.mark.slow

GROUPS = [[1, 2, 3], [4, 5, 6, 7], [8], [9, 10, 11, 12]]
WITHOUT_THE_THIRD = [[1, 2], *GROUPS[1:]]


@pytest.fixture
def printed(app, study_id, tmp_path):
    made = print_set(app, study_id, tmp_path)
    plan_sitting(app, study_id, made.set_id)
    return made


def huge(photo):
    """Fifty megapixels, as a phone's main camera has them."""
    picture, file = Image.open(io.BytesIO(photo)), io.BytesIO()
    picture.resize((8165, 6124), Image.Resampling.BICUBIC).save(file, "JPEG", quality=90)
    return file.getvalue()


def shown(photo):
    """The photo on a monitor, photographed."""
    return off_a_screen(Scene(photo, {}, {}, {})).jpeg


def mixed(app, study_id, printed, folder):
    """The table with card 3 of deck B instead of the same card of deck A."""
    paths = folder / "b.pdf", folder / "b.csv"
    with app.app_context():
        choice = PrintChoice((printed.set_id,), decks=(2,))
        print_cards(app.config["SETTINGS"], study_id, choice, paths)
        db.session.remove()
    others, third = cut_cards(paths[0], read_manifest(paths[1])), printed.names[2]
    return replace(printed, cards={**printed.cards, third: others[third]})


def read(photo, folder):
    """Groups of card numbers by `sketch-study read`."""
    (folder / "table.jpg").write_bytes(photo)
    arguments = ["read", folder / "table.jpg", "--manifest", folder / "shapes.csv"]
    with pytest.raises(SystemExit) as end:
        main([*map(str, arguments), "--out", str(folder / "codes.csv")])
    assert not end.value.code
    groups = {}
    with (folder / "codes.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            groups.setdefault(row["group"], []).append(int(row["code"][4:9]))
    return sorted(sorted(group) for group in groups.values())


def send(client, address, photo):
    """Upload a photo as the page does, as one form; the test client leaves large files open."""
    client.post(f"{address}/steps/stop")
    head = '--edge\r\nContent-Disposition: form-data; name="photo"; filename="table.jpg"\r\n\r\n'
    form = head.encode() + photo + b"\r\n--edge--\r\n"
    kind = "multipart/form-data; boundary=edge"
    return client.post(f"{address}/photos", form, content_type=kind).json


def record(app, photo, folder):
    """Exit status and output of `sketch-study record`."""
    settings = app.config["SETTINGS"]
    (folder / "table.jpg").write_bytes(photo)
    places = ["--instance", str(settings.instance), "--database", settings.database_url]
    with pytest.raises(SystemExit) as end:
        main(["record", "T001", str(folder / "table.jpg"), *places])
    return end.value.code


@pytest.mark.parametrize("change", [huge, shown])
def test_all_cards_and_groups_of_a_photo_are_recorded(
    app, client, study_id, printed, tmp_path, capsys, change
):
    photo = change(printed.photo(GROUPS))
    assert read(photo, tmp_path) == GROUPS
    address = f"/studies/{study_id}/sittings/T001"
    sent = send(client, address, photo)
    assert (len(sent["reading"]["cards"]), sent["reading"]["wrong"]) == (12, [])
    proposal = client.get(f"{address}/proposal?photos={sent['id']},{sent['id']}").json
    assert len(proposal["photos"]) == 1
    assert sorted(len(group["cards"]) for group in proposal["groups"]) == [1, 3, 4, 4]
    assert client.get(sent["picture"]).mimetype == "image/jpeg"
    capsys.readouterr()
    assert record(app, photo, tmp_path) == 0
    assert "12 of 12 cards in 4 groups." in capsys.readouterr().out


def test_a_card_of_another_deck_is_reported_and_not_recorded(
    app, client, study_id, printed, tmp_path, capsys
):
    photo = mixed(app, study_id, printed, tmp_path).photo(GROUPS)
    assert read(photo, tmp_path) == WITHOUT_THE_THIRD
    address = f"/studies/{study_id}/sittings/T001"
    sent = send(client, address, photo)
    (wrong,) = sent["reading"]["wrong"]
    assert wrong["code"] == "other_deck"
    assert "deck B; this sitting is for deck A" in wrong["refused"]
    assert len(sent["reading"]["cards"]) == 11
    capsys.readouterr()
    record(app, photo, tmp_path)
    output = "".join(capsys.readouterr())
    assert "deck B; this sitting is for deck A" in output
    assert "11 of 12 cards in 4 groups." in output
