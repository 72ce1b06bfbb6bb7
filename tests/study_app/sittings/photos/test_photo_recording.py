"""Points to check after photos were recorded, in sentences."""

from study_app.sittings.photos.checks import Check
from study_app.sittings.photos.photo_recording import in_sentences

NUMBERS = {"a": 1, "b": 2, "c": 3, "d": 4}


def test_groups_in_doubt_for_the_same_reason_are_one_sentence():
    hidden, gap = (f"Some groups may be one group: %(groups)s ({why})." for why in ("h", "g"))
    doubts = [
        Check("Groups {a} and {b} may be one.", doubted=["a", "b"], several=hidden),
        Check("Groups {c} and {d} may be one.", doubted=["c", "d"], several=gap),
        Check("Look at group {c}."),
        Check("Groups {b}, {c} and {d} may be one.", doubted=["b", "c", "d"], several=hidden),
    ]
    assert in_sentences(doubts, NUMBERS) == [
        "Some groups may be one group: 1 + 2; 2 + 3 + 4 (h).",
        "Groups 3 and 4 may be one.",
        "Look at group 3.",
    ]
    halves = [
        Check(f"Group {{{key}}} may be two.", doubted=[key], several="May be two: %(groups)s.")
        for key in "ac"
    ]
    assert in_sentences(halves, NUMBERS) == ["May be two: 1, 3."]
