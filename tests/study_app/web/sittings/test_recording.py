"""Responses to the recording page: the changes, or the whole table if it missed one."""

import random

import pytest

from study_app.core.database import db, writing
from study_app.studies import studies
from tests.sent_statements import sent_statements
from tests.table_fixtures import ids, make_set, make_sitting


class Page:
    """The table as a recording page knows it, from the answers of the server."""

    def __init__(self, client, address, of):
        self.client, self.address, self.of, self.known = client, address, of, None
        self.look()

    def look(self):
        self.known = self.client.get(f"{self.address}/table").get_json()

    def send(self, client_id, kind, key, cards):
        placements = [{"key": key, "cards": [self.of[card] for card in cards]}]
        sent = {"id": client_id, "kind": kind, "placements": placements}
        sent["since"] = self.known["revision"]
        answer = self.client.post(f"{self.address}/acts", json=sent).get_json()
        if "table" in answer:
            self.known = answer["table"]
        else:
            self.amend(**answer["change"])
        return answer

    def undo(self, client_id, undone):
        sent = {"id": client_id, "act": undone}
        self.known = self.client.post(f"{self.address}/undo", json=sent).get_json()["table"]

    def amend(self, since, revision, groups, placed, act):
        """As `table.js` does."""
        assert since == self.known["revision"]
        by_number = {group["number"]: group for group in self.known["groups"]}
        for group in groups:
            held = by_number.get(group["number"])
            if held is None or held["key"] != group["key"]:
                held = {**group, "name": "", "note": "", "cards": []}
            by_number[group["number"]] = {**held, "free": False}
        for stimulus, key in placed:
            for group in by_number.values():
                group["cards"] = [one for one in group["cards"] if one != stimulus]
                group["cards"] += [stimulus] if group["key"] == key else []
        self.known = {
            **self.known,
            "revision": revision,
            "groups": [by_number[number] for number in sorted(by_number)],
            "acts": ([act] * bool(act) + self.known["acts"])[:10],
        }


@pytest.fixture
def pages(client, session, study_id):
    """Two pages that record the same table."""
    with writing():
        study = studies.get(session, study_id)
        made = make_sitting(session, study, make_set(session, study, count=12))
    return [Page(client, f"/studies/{study_id}/sittings/T001", ids(made)) for _ in range(2)]


def test_an_up_to_date_page_gets_only_the_changes_of_its_event(pages):
    page, other = pages
    answer = page.send("a", "place", "x", [1, 2])
    first, second = page.of[1], page.of[2]
    assert answer == {
        "change": {
            "since": 1,
            "revision": 2,
            "groups": [{"key": "x", "number": 1}],
            "placed": [[first, "x"], [second, "x"]],
            "act": {"id": "a", "kind": "place", "cards": 2},
        },
        "elsewhere": {},
    }
    answer = page.send("b", "place", "y", [1])
    assert answer["elsewhere"] == {str(first): 1}
    assert (answer["change"]["placed"], answer["change"]["act"]) == ([], None)
    # The other page knows nothing of that, and an answer that was lost is asked for once more.
    assert "table" in other.send("c", "place", "y", [3])
    assert "table" in page.send("b", "place", "y", [1])
    assert "table" in page.send("b", "place", "y", [1])
    assert page.known == other.known
    # The group's number was free again, so a new group gets it.
    page.undo("u", "c")
    assert "change" in page.send("d", "place", "z", [4])
    assert [(g["key"], g["number"]) for g in page.known["groups"]] == [("x", 1), ("z", 2)]


def test_two_pages_updated_by_changes_equal_the_server(pages):
    draw, ids_made, changes = random.Random(12), [], 0
    for number in range(120):
        page = draw.choice(pages) if number % 3 else pages[0]
        if ids_made and draw.random() < 0.15:
            page.undo(f"u{number}", draw.choice(ids_made[-4:]))
        else:
            kind = draw.choice(["place", "place", "move", "merge", "split", "take_away"])
            cards = draw.sample(range(1, 13), draw.randint(1, 3))
            key = draw.choice(["header-3", *(f"g{at}" for at in range(6))])
            ids_made.append(f"a{number}")
            changes += "change" in page.send(ids_made[-1], kind, key, cards)
        before = page.known
        page.look()
        assert before == page.known, number
    assert 40 < changes < 100


def test_saving_a_card_needs_few_statements(app, pages):
    page, _ = pages
    page.send("a", "place", "x", [1, 2])
    page.send("b", "place", "y", [3])
    with app.app_context():
        engine = db.engine
    with sent_statements(engine) as sent:
        page.send("c", "move", "y", [1])
    locking = sent.index("BEGIN IMMEDIATE")
    # The other rows are read after the lock.
    assert [" ".join(text.split()[:3]) for text in sent[locking + 1 :] if "SELECT" not in text] == [
        "UPDATE sitting SET",
        "INSERT INTO act",
        "INSERT INTO scan",
        "INSERT INTO audit_entry",
    ]
    assert sent[locking + 2].startswith("SELECT") and len(sent) == locking + 6
    # Who is signed in, without a transaction; nothing if an earlier request asked in this context.
    assert locking <= 1


def test_an_event_sent_twice_does_not_change_the_revision(pages):
    page, _ = pages
    page.send("a", "place", "x", [1])
    before = page.known["revision"]
    assert page.send("a", "place", "x", [1])["table"]["revision"] == before
