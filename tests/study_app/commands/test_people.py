"""The verbs exclude, include and withdraw."""

from study_app.cli import cli
from study_app.core.database import db, writing
from study_app.models.participation import WebSitting
from study_app.models.ranking import RankingTask
from study_app.participation.people import exclusion, withdrawal
from study_app.results.gold import sets
from study_app.sittings import sittings
from tests.study_app.judged import make_set, sort_set


def test_the_verbs_exclude_include_and_withdraw(app, runner, straight_liner):
    task_id, (_, liner) = straight_liner
    with app.app_context():
        study_id = db.session.get(RankingTask, task_id).study_id
        with writing() as session:
            made = make_set(session, study_id, "tables", ["a", "b", "c"])
            sort_set(session, made, [[0, 0, 1], [0, 1, 1]], first_code=11)
            set_id = made.id
    place = ["--instance", str(app.config["SETTINGS"].instance)]
    place += ["--database", app.config["SETTINGS"].database_url]

    def run(*words, code=0):
        done = runner.invoke(cli, [*words, *place])
        assert done.exit_code == code, done.output + str(done.exception)

    run("exclude", "P002", "--reason", "same score throughout")
    run("exclude", "P001:1", "--reason", "phone rang")
    run("exclude", "T001", "--reason", "interrupted")
    run("exclude", "T001", code=1)
    run("exclude", "P001:99", "--reason", "no such trial", code=1)
    run("exclude", "T002", "--undo", code=1)
    with app.app_context():
        names = [exclusion.name_of(one) for one in exclusion.current(db.session, study_id)]
        assert names == ["P002", "trial 1 of P001", "T001"]
    run("exclude", "T001", "--undo")
    copy = app.config["SETTINGS"].instance / "replaced.zip"
    copy.write_bytes(b"with the groups")
    run("withdraw", "T002")
    assert not copy.exists()
    with app.app_context():
        moment = sittings.find(db.session, study_id, "T002").withdrawn_at
    run("withdraw", "T002")
    run("exclude", "T002", "--reason", "it tells of the person again", code=1)
    run("withdraw", "P002")
    with app.app_context():
        gold = sets.compute(set_id)
        assert gold.groupings.participants == ["P11"]
        assert sittings.find(db.session, study_id, "T002").withdrawn_at == moment
        gone = db.session.get(WebSitting, liner.sitting_id)
        assert gone.withdrawn_at and gone.withdrawn_by == "researcher"
        task = db.session.get(RankingTask, task_id)
        assert [w.participant for w in withdrawal.withdrawals_of(db.session, task)] == ["P002"]
