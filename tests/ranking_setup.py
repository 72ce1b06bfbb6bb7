"""A study with sketches, images and a ranking task, as many as a test needs."""

from pathlib import Path

from PIL import Image, ImageDraw
from sqlalchemy import select

from study_app.core.database import writing
from study_app.models import StimulusSet
from study_app.models.ranking import AssignedQuery
from study_app.participation.links import invitations
from study_app.ranking.tasks import query_lists, tasks
from study_app.ranking.tasks.tasks import TaskChoice
from study_app.stimuli.importing.run import ImportChoice, import_paths
from study_app.studies import studies


def draw_pictures(folder, names):
    """Write a small picture for each name, every one different."""
    folder = Path(folder)
    folder.mkdir(parents=True)
    for at, name in enumerate(names):
        picture = Image.new("RGB", (48, 48), "white")
        seed = sum(map(ord, name)) + 7 * at
        ImageDraw.Draw(picture).ellipse(
            (4, 4, 12 + seed % 30, 12 + seed % 29), fill=(at % 200, 9, 9)
        )
        picture.putpixel((47, 47), (at % 256, seed % 256, 0))
        picture.save(folder / f"{name}.png")
    return folder


def make_stimuli(app, study_id, folder, queries=2, images=6):
    """Import sketches q1, q2, … and a pool i1, i2, …; the table of queries that joins them."""
    sketches = draw_pictures(folder / "sketches", [f"q{n}" for n in range(1, queries + 1)])
    pool = draw_pictures(folder / "pool", [f"i{n}" for n in range(1, queries * images + 1)])
    for name, place in (("sketches", sketches), ("pool", pool)):
        import_paths(app.config["SETTINGS"], ImportChoice(study_id, name), [place])
    rows = [
        f"q{query},i{(query - 1) * images + image}"
        for query in range(1, queries + 1)
        for image in range(1, images + 1)
    ]
    return "query,stimulus\n" + "\n".join(rows) + "\n"


def make_task(app, folder, *, study="Chairs", queries=2, images=6, practice=(), **choice):
    """A study with a task that is ready for participants; the task's number."""
    with app.app_context():
        with writing() as session:
            study_id = studies.make(session, study).id
        table = make_stimuli(app, study_id, folder, queries, images)
        with writing() as session:
            values = {
                "most_similar_end": "low",
                "low_label": "very similar",
                "high_label": "not similar",
            }
            task = tasks.make_task(
                session, study_id, TaskChoice(**{"name": "Similarity", **values, **choice})
            )
            tasks.add_queries(session, task, query_lists.from_table(session, study_id, table))
            for query in task.queries:
                query.practice = query.stimulus.name in practice
            return task.id


def make_link(app, task_id, kind="personal", purpose="real", **options):
    """A fresh link's token."""
    with app.app_context(), writing() as session:
        task = session.get(tasks.RankingTask, task_id)
        return invitations.invite(session, task, kind, purpose, **options)[0].token


def set_of(session, study_id, name):
    """The set of a name."""
    return session.query(StimulusSet).filter_by(study_id=study_id, name=name).one()


def assigned(session, sitting_id):
    """The queries of a sitting, in their order."""
    chosen = select(AssignedQuery).where(AssignedQuery.sitting_id == sitting_id)
    return session.scalars(chosen.order_by(AssignedQuery.position)).all()
