"""Systems measured against a set: equal to the library, cached, recomputed for new judgments."""

import pickle
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau
from sqlalchemy import inspect, update

from analysis.groupings.pair_agreement import bcubed_pairs
from basics.wordings import unpacked
from study_app.core.background import jobs, workers
from study_app.core.database import writing
from study_app.models import Job, Stimulus, StimulusSet
from study_app.models.systems import System
from study_app.results.systems import clusterings, measured, uploads
from study_app.results.systems.reading import Upload
from study_app.stimuli.importing import uploads as sent
from tests.study_app.judged import sort_set
from tests.study_app.results.systems.added_systems import (
    GROUPS,
    MATRIX,
    SORTED,
    STIMULI,
    add_systems,
)


def test_groups_are_measured_as_by_the_analysis_package(app, session, sorted_set):
    ids = add_systems(sorted_set, Upload("kmeans.csv", GROUPS.encode(), ""))
    found = measured.measured(("set", sorted_set))
    people = [bcubed_pairs(np.array([[0, 0, 1, 1], row])).f[0, 1] for row in SORTED]
    assert found.charts[0].measure == "F" and found.places[0].system_id == ids[0]
    assert found.places[0].value == pytest.approx(np.mean(people))
    assert found.participants == 3
    # As a worker leaves it to the web processes.
    found = pickle.loads(pickle.dumps(found))
    assert clusterings.groups(found.found, "kmeans")[0]


def test_a_matrix_has_only_the_correlation(app, session, sorted_set):
    add_systems(sorted_set, Upload("d.csv", MATRIX.encode(), "distance"))
    found = measured.measured(("set", sorted_set))
    assert [chart.measure for chart in found.charts] == ["pairs"]
    distances = [1, 9, 9, 8, 9, 2]
    pairs = list(combinations(range(4), 2))
    together = [[row[a] == row[b] for a, b in pairs] for row in SORTED]
    each = [kendalltau([-d for d in distances], row).statistic for row in together]
    (place,) = found.places
    assert place.value == pytest.approx(np.mean(each))
    assert place.low is place.high is None, "three people have no interval"


def test_stored_results_do_not_grow_with_the_square_of_the_participants(app, session, sorted_set):
    add_systems(sorted_set, Upload("d.csv", MATRIX.encode(), "distance"))
    people = measured.measured(("set", sorted_set)).found.people
    assert people.participants == 3 and not hasattr(people, "pairs")


def test_the_largest_differences_between_a_matrix_and_people(app, session, sorted_set):
    add_systems(sorted_set, Upload("d.csv", MATRIX.encode(), "distance"))
    found = measured.measured(("set", sorted_set)).found
    names = dict(zip(found.groupings.stimulus_ids, STIMULI, strict=True))
    closer_for_it, closer_for_people = (
        [(names[a], names[b], together, both) for a, b, together, both in pairs]
        for pairs in clusterings.largest_differences(found, "d")
    )
    # by place among the pairs: ab is first for it and one of three for people, ad one of the last
    assert closer_for_it == [("a", "b", 2, 3), ("a", "d", 0, 3)]
    assert closer_for_people == [("b", "c", 2, 3), ("a", "c", 1, 3), ("b", "d", 1, 3)]


def test_a_system_is_measured_once(app, session, sorted_set, monkeypatch):
    from analysis.clusterings import clustering_evaluation

    evaluate, judged = clustering_evaluation.evaluate_clusterings, []

    def counted(systems, *more, **options):
        judged.extend(name for name, _ in systems)
        return evaluate(systems, *more, **options)

    monkeypatch.setattr(clustering_evaluation, "evaluate_clusterings", counted)
    add_systems(sorted_set, Upload("k.csv", GROUPS.encode(), ""))
    measured.measured(("set", sorted_set))
    add_systems(sorted_set, Upload("d.csv", MATRIX.encode(), "distance"))
    found = measured.measured(("set", sorted_set))
    assert judged == ["k", "d"] and len(found.charts[-1].places) == 2
    with writing() as writer:
        sort_set(writer, writer.get(StimulusSet, sorted_set), [[0, 1, 0, 1]], first_code=9)
    measured.measured(("set", sorted_set))
    assert judged == ["k", "d", "k", "d"]


def test_a_changed_gold_standard_triggers_a_new_measurement(app, session, sorted_set):
    add_systems(sorted_set, Upload("k.csv", GROUPS.encode(), ""))
    before = measured.measured(("set", sorted_set))
    with writing() as writer:
        sort_set(writer, writer.get(StimulusSet, sorted_set), [[0, 1, 0, 1]], first_code=9)
    after = measured.measured(("set", sorted_set))
    assert after.participants == 4 and after.fingerprint != before.fingerprint
    assert after.places[0].value < before.places[0].value


def test_a_file_that_no_longer_matches_the_set_is_reported(app, session, sorted_set):
    ids = add_systems(sorted_set, Upload("k.csv", GROUPS.encode(), ""))
    with writing() as writer:
        sha256 = writer.query(Stimulus).first().sha256
        writer.add(Stimulus(set_id=sorted_set, card=5, name="e", sha256=sha256))
    found = measured.measured(("set", sorted_set))
    assert "'e'" in found.refused[ids[0]] and found.places == []


def test_the_transaction_of_the_caller_stays_open(app, session, sorted_set):
    add_systems(sorted_set, Upload("kmeans.csv", GROUPS.encode(), ""))
    stimulus_set = session.get(StimulusSet, sorted_set)
    begun = session().get_transaction()
    assert measured.measured(("set", sorted_set)).places
    assert session().get_transaction() is begun and not inspect(stimulus_set).expired_attributes


def test_systems_are_added_even_if_the_process_dies_while_they_are_measured(
    app, session, study_id, sorted_set, monkeypatch
):
    def die(*_):
        raise SystemExit

    jobs.run_by(app, lambda job_id: None)
    token = sent.save(app.config["SETTINGS"], study_id, [("kmeans.csv", GROUPS.encode())])
    asked = {"target": ("set", sorted_set), "token": token, "direction": "", "name": ""}
    job_id = jobs.start(study_id, "systems", **asked)
    monkeypatch.setattr(measured, "_share", die)
    with pytest.raises(SystemExit):
        jobs.perform(app, job_id)
    # It cannot be repeated, since the names are taken; the page measures what is not measured yet.
    assert workers.left_by_process(app, {job_id: 1}) == {}
    job = jobs.find(study_id, job_id)
    assert (job.state, unpacked(job.message)) == ("done", "1 system added.")


def test_a_job_that_was_given_up_adds_no_systems_later(
    app, session, study_id, sorted_set, monkeypatch
):
    """Its host was suspended; meanwhile its page said to start it again."""

    def suspended(found, gold):
        with writing() as transaction:
            transaction.execute(update(Job).values(state="interrupted", owner=None))
        return check(found, gold)

    check = uploads._checked
    monkeypatch.setattr(uploads, "_checked", suspended)
    jobs.run_by(app, lambda job_id: None)
    token = sent.save(app.config["SETTINGS"], study_id, [("kmeans.csv", GROUPS.encode())])
    asked = {"target": ("set", sorted_set), "token": token, "direction": "", "name": ""}
    job_id = jobs.start(study_id, "systems", **asked)
    jobs.perform(app, job_id)
    assert jobs.find(study_id, job_id).state == "interrupted"
    assert session.query(System).count() == 0
