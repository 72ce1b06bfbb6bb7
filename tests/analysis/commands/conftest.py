"""Fixtures for several commands: running an analysis, and a task of patches."""

import numpy as np
import pytest

from analysis.figures import style
from study_app.cli import main


@pytest.fixture(autouse=True)
def coarse_pictures(monkeypatch):
    """Draw figures at low resolution; print resolution is tested with the figures."""
    monkeypatch.setattr(style, "PRINTED_DPI", 60)


@pytest.fixture
def analysed(tmp_path, capsys):
    """Write a table and analyse it; return folder, exit status, output and errors."""

    def analysed(verb, content, *options, out="found"):
        path = tmp_path / f"{verb}.csv"
        path.write_text(content, encoding="utf-8")
        status = 0
        try:
            main(["analyse", verb, str(path), "--out", str(tmp_path / out), *options])
        except SystemExit as leaving:
            status = leaving.code or 0
        printed = capsys.readouterr()
        return tmp_path / out, status, printed.out, printed.err

    return analysed


@pytest.fixture
def task(tmp_path):
    """Two sequences of three images with 20 patches; descriptors contain patch and sequence."""
    rng = np.random.default_rng(1)
    images = ["ref", "e1", "e2"]
    pool = ",".join(f"{s}.{i}" for s in ("v_a", "v_b") for i in images)
    queries = ["v_a.ref.3", "v_b.e1.0", "v_b.ref.19"]
    labels = [
        ",".join([q, *(f"{q[:3]}.{i}.{q.split('.')[2]}" for i in images if f".{i}." not in q)])
        for q in queries
    ]
    (tmp_path / "t.benchmark").write_text("\n".join([pool, *queries]))
    (tmp_path / "t.labels").write_text("\n".join([pool, *labels]))
    for place, sequence in enumerate(("v_a", "v_b")):
        points = rng.normal(size=(20, 8))
        points[:, 0] += 100 * place
        for image in images:
            folder = tmp_path / "desc" / sequence
            folder.mkdir(parents=True, exist_ok=True)
            np.save(folder / f"{image}.npy", points + 1e-3 * rng.normal(size=points.shape))
    return tmp_path
