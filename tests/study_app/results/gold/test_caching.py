"""Reading, computing and saving of a gold standard: apart, and without the caller's session."""

from sqlalchemy import inspect

from study_app.core.database import db
from study_app.models import StimulusSet
from study_app.models.systems import GoldFigure
from study_app.results.gold import caching, sets
from study_app.results.gold.sets import SetGold


def test_the_transaction_of_the_caller_stays_open(app, session, sorted_set):
    stimulus_set = session.get(StimulusSet, sorted_set)
    begun = session().get_transaction()
    assert sets.compute(sorted_set).found is not None
    assert session().get_transaction() is begun and not inspect(stimulus_set).expired_attributes


def test_no_connection_is_in_use_while_it_is_computed(app, session, sorted_set):
    used = []

    def collect(session, stimulus_set, mark):
        used.append(db.engine.pool.checkedout())
        gold = sets._collect(session, stimulus_set, mark)

        def computation() -> SetGold:
            used.append(db.engine.pool.checkedout())
            return gold()

        return computation

    kind = caching.Kind("set", StimulusSet, sets.fingerprint_of, collect, sets._figure)
    session.rollback()
    caching.compute(kind, sorted_set)
    assert used == [1, 0]
    assert session.get(GoldFigure, (1, f"set-{sorted_set}")).measure == "F"
