"""The fold over recorded rows: the last row of a card gives its group."""

from hypothesis import given
from hypothesis import strategies as st

from study_app.sittings.recording.table_state import Row, fold, groups_in_use, put_back, set_by_hand

events = st.lists(
    st.dictionaries(st.integers(1, 6), st.sampled_from([None, 1, 2, 3]), max_size=4), max_size=12
)


def rows_of(events):
    return [Row(at, s, group) for at, event in enumerate(events) for s, group in event.items()]


def test_fold_by_hand():
    rows = [Row(1, 10, 1), Row(1, 11, 1), Row(2, 10, 2), Row(3, 11, None), Row(4, 12, 2)]
    assert fold(rows) == {10: 2, 12: 2}
    assert list(fold(rows)) == [10, 12]


def test_undo_by_hand():
    rows = [Row(1, 10, 1), Row(1, 11, 1), Row(2, 10, 2), Row(2, 12, 2), Row(3, 12, 1)]
    assert put_back(rows, 2) == {10: 1}
    assert put_back(rows, 3) == {12: 2}
    assert put_back(rows, 1) == {11: None}


@given(events)
def test_each_card_is_in_the_group_of_its_last_row(events):
    last = {}
    for event in events:
        last.update(event)
    assert fold(rows_of(events)) == {s: g for s, g in last.items() if g is not None}


@given(events)
def test_undoing_the_last_event_restores_the_previous_table(events):
    rows = rows_of(events)
    back = put_back(rows, len(events) - 1)
    undone = [*rows, *(Row(len(events), s, group) for s, group in back.items())]
    assert fold(undone) == fold(rows_of(events[:-1]))


@given(events, st.integers(0, 11))
def test_undoing_keeps_later_changes(events, at):
    rows = rows_of(events)
    touched_later = {row.stimulus for row in rows if row.event > at}
    assert not put_back(rows, at).keys() & touched_later


@given(events)
def test_undoing_every_event_empties_the_table(events):
    rows = rows_of(events)
    for at in reversed(range(len(events))):
        answer = 100 - at
        back = put_back(rows, at)
        rows += [Row(answer, s, group, undoes=at) for s, group in back.items()]
        assert fold(rows) == fold(rows_of(events[:at]))
    assert fold(rows) == {}


@given(events)
def test_groups_are_in_use_until_all_their_events_are_undone(events):
    rows = rows_of(events)
    for at in reversed(range(len(events))):
        before = rows_of(events[: at + 1])
        assert groups_in_use(rows) == {row.group for row in before if row.group}
        back = put_back(rows, at)
        rows += [Row(100 - at, s, group, undoes=at) for s, group in back.items()]
    assert groups_in_use(rows) == set()


def test_cards_set_by_hand_are_those_whose_last_row_is_by_hand():
    rows = [Row(1, 10, 1, how="decoded"), Row(1, 11, 1, how="decoded"), Row(1, 12, 1, how="hand")]
    rows += [Row(2, 10, 2, how="hand"), Row(3, 12, None, how="hand")]
    assert set_by_hand(rows) == {10: 1}
    # undone, and put there by a photo again
    assert set_by_hand([*rows, Row(4, 10, 1, undoes=2, how="hand")]) == {}
    assert set_by_hand([*rows, Row(4, 10, 1, how="decoded")]) == {}
    assert set_by_hand([Row(1, 10, 1, how="hand")]) == {10: None}
