"""Exclusion rules: matching sittings, the preview, and the commands."""

import pytest

from study_app.core.database import db, writing
from study_app.models import Study
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from study_app.participation.people import exclusion, rule_kinds
from study_app.ranking.progress.facts import facts_of
from study_app.results.gold import tasks
from study_app.studies.people import rules
from tests.study_app.judged import make_set, sort_set


def test_a_rule_applies_to_the_previewed_people_only(app, straight_liner):
    task_id, (_, liner) = straight_liner
    with app.app_context():
        task = db.session.get(RankingTask, task_id)
        study_id = task.study_id
        found = facts_of(db.session, task)[liner.sitting_id]
        assert (found.checks_failed, found.same_share, found.done_share) == (2, 1.0, 1.0)
        with writing() as session:
            study = session.get(Study, study_id)
            for kind, threshold in (("mood", 1), ("unfinished", 0), ("same_answer", 101)):
                with pytest.raises(rules.RuleUnclear):
                    rules.set_rule(session, study, kind, threshold)
            rules.set_rule(session, study, "same_answer", 90)
            rules.set_rule(session, study, "failed_checks", 1)
        shown = rules.preview(db.session, study_id)
        assert [(t.code, t.rule.kind, t.value) for t in shown] == [
            ("P002", "same_answer", 100),
            ("P002", "failed_checks", 2),
        ]
        assert not rules.was_first(db.session, shown[0].rule)
        with writing() as session:
            assert rules.apply(session, study_id, []) == 0
            assert rules.apply(session, study_id, [t.key for t in shown]) == 1
        (made,) = exclusion.current(db.session, study_id)
        assert (made.rule.kind, made.value, made.reason) == ("same_answer", 100, "")
        words = "90 % or more of the answers are the same (100 %)"
        assert rule_kinds.wording_of(made) == words
        assert tasks.compute(task_id).participants == ["P001"]
        # After an exclusion is undone, the same rule does not exclude again.
        with writing() as session:
            exclusion.undo(session, study_id, made.id)
        assert [t.rule.kind for t in rules.preview(db.session, study_id)] == ["failed_checks"]
        # Nor is anybody shown who is excluded with everything they did.
        with writing() as session:
            person = session.get(WebSitting, liner.sitting_id).participant_id
            whole = exclusion.exclude(
                session, study_id, exclusion.Excluded(participant_id=person), "a colleague"
            )
        assert rules.preview(db.session, study_id) == []
        with writing() as session:
            exclusion.undo(session, study_id, whole.id)
        with writing() as session:
            rules.remove_rule(session, study_id, shown[1].rule.id)
        assert rules.preview(db.session, study_id) == []


def test_rules_added_before_the_first_sitting_are_marked(app, session, study_id):
    with writing():
        study = session.get(Study, study_id)
        rule = rules.set_rule(session, study, "unfinished", 100)
        made = make_set(session, study_id, "chairs", ["a", "b"])
        sort_set(session, made, [[0, -1], [0, 1]])
    rule = rules.rules_of(session, study_id)[0]
    assert rules.was_first(session, rule)
    (touched,) = rules.preview(session, study_id)
    assert (touched.code, touched.value) == ("T001", 50)
