"""A method is found by the name that its tasks have."""

from study_app.models.ranking import RankingTask
from study_app.participation import methods


def test_a_task_finds_its_method_and_its_pages(app):
    method = methods.method_of(RankingTask(method="ranking"))
    assert method.name == "ranking" and method.page in methods.pages()
    for page in (method.page, method.task_page, method.settings_page):
        assert page in app.view_functions
