"""Files of results are marked if judgments are simulated, and only then."""

import csv
import json

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image
from scipy.io import loadmat

from analysis.cli import analyse, evaluate
from analysis.simulated import NOTICE, is_marked, marked_simulated, says_simulated

SORTED = ["P1,a,1", "P1,b,1", "P1,c,2", "P2,a,1", "P2,b,2", "P2,c,2"]
SCORED = ["P1,q,a,1", "P1,q,b,3", "P1,q,c,2", "P2,q,a,1", "P2,q,b,2", "P2,q,c,3"]
NO_ROOM = {"similarity.csv"}


def table(path, header, rows, simulated):
    """A table with or without the column."""
    column, cell = (",simulated", ",true") if simulated else ("", "")
    path.write_text("\n".join([header + column, *(row + cell for row in rows)]) + "\n", "utf-8")
    return path


def run(group, *words):
    done = CliRunner().invoke(group, [*map(str, words)], catch_exceptions=False)
    assert done.exit_code == 0, done.output


@pytest.fixture(params=[True, False], ids=["simulated", "real"])
def written(request, tmp_path):
    """All files written when two small studies are analysed and evaluated."""
    simulated = request.param
    header = "participant_id,stimulus_id,group_id"
    sorted_by = table(tmp_path / "groupings.csv", header, SORTED, simulated)
    header = "participant_id,query_id,stimulus_id,score"
    scores = table(tmp_path / "ratings.csv", header, SCORED, simulated)
    run(analyse, "groupings", sorted_by, "--out", tmp_path / "gold", "--draws", 9)
    run(analyse, "ratings", scores, "--scale-best", "low", "--out", tmp_path / "truth")
    groups = table(tmp_path / "k.csv", "stimulus_id,group_id", ["a,1", "b,1", "c,2"], False)
    run(evaluate, "clustering", "--truth", sorted_by, groups, "--out", tmp_path / "clustering")
    system = table(tmp_path / "s.csv", "query_id,stimulus_id,score", ["q,a,1", "q,b,3", "q,c,2"], 0)
    truth = tmp_path / "truth" / "ground_truth.csv"
    out = tmp_path / "ranking"
    run(evaluate, "ranking", "--truth", truth, system, "--distance", "--out", out)
    folders = [tmp_path / name for name in ("gold", "truth", "clustering", "ranking")]
    written = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return simulated, written


@pytest.mark.slow
def test_every_file_states_whether_it_is_simulated(written):
    simulated, paths = written
    figures = {".pdf", ".svg", ".png"}
    assert {path.suffix for path in paths} == {".csv", ".json", ".npz", ".mat"} | figures
    for path in paths:
        if path.name not in NO_ROOM and path.suffix != ".png":
            assert marks(path) == simulated, path


def marks(path):
    """Whether a file states that judgments are simulated."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        return header[-1] == "simulated" and {row[-1] for row in rows} <= {"true"}
    if path.suffix == ".json":
        return json.loads(path.read_text("utf-8")).get("simulated") is True
    if path.suffix == ".npz":
        with np.load(path) as arrays:
            return "simulated" in arrays and bool(arrays["simulated"])
    if path.suffix == ".mat":
        return bool(loadmat(path).get("simulated", False))
    # A PDF has text with characters that are not Latin, such as the minus sign, in UTF-16.
    content = path.read_bytes()
    return NOTICE.encode() in content or NOTICE.encode("utf-16-be") in content


def test_the_notice_in_a_figure_covers_nothing(tmp_path, monkeypatch):
    from analysis.figures import style
    from analysis.figures.style import new_figure, write_figure

    # The parts of the written figure are measured.
    monkeypatch.setattr(style, "_empty", lambda figure: None)
    for simulated in (False, True):
        figure = new_figure(3, 2, "An axis", "Nothing but an axis.")
        figure.add_subplot().set_xlabel("an axis")
        with marked_simulated(simulated):
            write_figure(figure, tmp_path, f"{simulated}")
        figure.draw_without_rendering()
        axes = figure.axes[0].get_tightbbox()
        assert not simulated or axes.y0 >= figure._supxlabel.get_window_extent().y1
    plain, marked = (np.array(Image.open(tmp_path / f"{s}.png")) for s in (False, True))
    assert plain.shape == marked.shape and (plain != marked).any()


def test_the_mark_ends_with_the_block_also_after_an_error():
    with pytest.raises(ZeroDivisionError), marked_simulated(True):
        assert is_marked()
        raise ZeroDivisionError
    assert not is_marked()


@pytest.mark.parametrize("cells", [["true"], ["false", "TRUE"], [" 1"]])
def test_a_column_marks_simulated_data(cells):
    assert says_simulated(cells)


@pytest.mark.parametrize("cells", [None, [], ["false", "", "no", "0"]])
def test_a_column_without_true_values_does_not_mark(cells):
    assert not says_simulated(cells)
