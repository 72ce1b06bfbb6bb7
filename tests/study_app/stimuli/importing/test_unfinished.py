"""An import that another host has taken over writes no rows and deletes no files."""

import pytest
from sqlalchemy import func, select, update

from study_app.core.background.jobs import Progress, TakenOver
from study_app.core.database import db, writing
from study_app.core.storage.chosen_store import store_of
from study_app.models import Job, Stimulus
from study_app.stimuli.importing.run import ImportChoice, import_paths
from tests.study_app.stimuli.importing.pictures_made import png


class TakenFrom(Progress):
    """The progress of a job that another host takes over before its last file."""

    fault = None

    def __call__(self, done, total, message=""):
        if done + 1 < total:
            return
        with writing() as session:
            session.execute(update(Job).values(owner="another"))
        if self.fault:
            raise self.fault


@pytest.mark.parametrize("fault", [None, TakenOver(), OSError("the network failed")])
def test_files_stay_for_the_host_that_took_over(app, session, study_id, tmp_path, fault):
    with writing():
        job = Job(study_id=study_id, kind="import", arguments={}, owner="this one")
        session.add(job)
        session.flush()
        progress = TakenFrom(job, app.config["SETTINGS"])
    progress.fault = fault
    for number in range(3):
        (tmp_path / f"{number}.png").write_bytes(png(number))
    with pytest.raises(TakenOver):
        import_paths(
            app.config["SETTINGS"],
            ImportChoice(study_id, "chairs"),
            sorted(tmp_path.glob("*.png")),
            progress,
        )
    assert len(list(store_of(app.config["SETTINGS"]).names("originals"))) >= 2
    assert db.session.scalar(select(func.count(Stimulus.id))) == 0
