"""Entries gathered in one transaction, as they are written."""

from study_app.accounts.audit.entries import Entry, merged


def test_entries_of_one_kind_are_merged_at_the_first():
    def entry(name, action="created", study=1):
        return Entry(study, action, "sketch", name, {})

    other = Entry(1, "changed", "set", "chairs", {"name": ["a", "b"]})
    gathered = [(entry("a"), True), (other, False), (entry("b"), True), (entry("c", study=2), True)]
    assert merged(gathered) == [
        Entry(1, "created", "sketch", "2: a … b", {"count": [None, 2]}),
        other,
        entry("c", study=2),
    ]
    twice = [(other, False), (other, False)]
    assert merged(twice) == [other, other]
