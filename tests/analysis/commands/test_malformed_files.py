"""Every file of every command, malformed in every way: an error in one line, no files written.

Malformed files that are nevertheless valid are listed in `GOOD`, with the reason.
"""

import gzip
import io
import re

import numpy as np
import pytest

from study_app.cli import main
from tests.analysis.commands.whole_files import VERBS

pytestmark = pytest.mark.slow


def _last_number(raw, word):
    """Replace the last number with a decimal point (or else the last number) by a word."""
    places = list(re.finditer(rb"(?<=[ ,\n])\d+\.\d+(?=[ ,\n])", raw))
    places = places or list(re.finditer(rb"(?<=[ ,\n])\d+(?=[ ,\n])", raw))
    return raw[: places[-1].start()] + word + raw[places[-1].end() :] if places else None


def _shorter_line(raw):
    """Remove the last field of the last line."""
    lines = raw.rstrip(b"\n").split(b"\n")
    fields = re.split(rb"([ ,])", lines[-1])
    return None if len(fields) < 3 else b"\n".join([*lines[:-1], b"".join(fields[:-2])]) + b"\n"


def _columns_swapped(raw):
    """Reverse the fields below the first line, or of all lines if separated by blanks."""
    lines = raw.rstrip(b"\n").split(b"\n")
    sign = b"," if b"," in raw else b" "
    turned = [sign.join(line.split(sign)[::-1]) for line in lines]
    return b"\n".join([lines[0] if sign == b"," else turned[0], *turned[1:]]) + b"\n"


def _rank_swapped(raw):
    """Swap the ranks of a ground truth or a run with the means or scores."""
    raw = raw.replace(b"mean,rank", b"rank,mean")
    return re.sub(rb"( Q0 \S+) (\S+) (\S+)", rb"\1 \3 \2", raw)


def _array(text):
    """The numbers of a table of descriptors as .npy."""
    rows = [[float(cell) for cell in line.split(",")[1:]] for line in text.splitlines()]
    file = io.BytesIO()
    np.save(file, np.array(rows))
    return file.getvalue()


def _arrays(text):
    """A matrix of distances, as .npz."""
    header, *lines = [line.split(",") for line in text.splitlines()]
    file = io.BytesIO()
    np.savez(
        file,
        stimuli=np.array(header[1:]),
        distance=np.array([[float(cell) for cell in line[1:]] for line in lines]),
    )
    return file.getvalue()


def _gzip(raw):
    """Compress without the time, so that the same cases are collected in every second."""
    return gzip.compress(raw, mtime=0)


# Binary formats made from texts; malformed texts that cannot be converted are left out.
PACKED = {".gz": lambda text: _gzip(text.encode()), ".npy": _array, ".npz": _arrays}
BREAKS_OF_PACKED = {
    "missing": lambda raw: None,
    "empty": lambda raw: b"",
    "binary": lambda raw: bytes(range(256)) * 3,
    "cut short": lambda raw: raw[: len(raw) // 2],
}
BREAKS = {
    "missing": lambda raw: None,
    "empty": lambda raw: b"",
    "blank": lambda raw: b"\n \n",
    "binary": lambda raw: bytes(range(256)) * 3,
    "not UTF-8": lambda raw: raw[:-2] + b"\xe9" + raw[-2:],
    "a NUL byte": lambda raw: raw[:-2] + b"\0" + raw[-2:],
    "the first line only": lambda raw: raw.split(b"\n")[0] + b"\n",
    "a shorter line": _shorter_line,
    "a repeated line": lambda raw: raw + raw.rstrip(b"\n").split(b"\n")[-1] + b"\n",
    "a word for a number": lambda raw: _last_number(raw, b"x"),
    "NaN": lambda raw: _last_number(raw, b"nan"),
    "infinite": lambda raw: _last_number(raw, b"inf"),
    "columns swapped": _columns_swapped,
    "ranks swapped": _rank_swapped,
}
GOOD = {
    # A query that is missing from a run scores 0, and is reported.
    ("evaluate retrieval", "a.run", "the first line only"),
    # A rank list may be short, and have distances before or after the models.
    *(
        ("evaluate retrieval, classes", name, how)
        for name in ("lists/k1", "lists/k2")
        for how in ("the first line only", "columns swapped")
    ),
    # Two pairs may have the same distance.
    ("evaluate hpatches-classification", "p.results", "a repeated line"),
    *(
        ("evaluate hpatches-classification, folders", f"{d}/train_{name}.results", how)
        for d in "de"
        for name, how in (("neg", "a repeated line"), ("pos", "the first line only"))
    ),
    # A task may have fewer pairs, repeated pairs and reversed pairs.
    *(
        ("evaluate hpatches-results, tasks of pairs", f"t/{name}.pairs", how)
        for name in "pnl"
        for how in ("the first line only", "a repeated line")
    ),
    *(
        ("evaluate hpatches-results, tasks of pairs", f"t/{name}.pairs", "columns swapped")
        for name in "pn"
    ),
    ("packed patches", "p.pairs", "a repeated line"),
    # A pair without a label is valid in the other format.
    ("packed patches", "p.pairs", "a shorter line"),
    # Pairs that are not in a benchmark are tasks of their own, like the third ones here.
    ("evaluate hpatches-results, tasks of pairs", "t/b.benchmark", "missing"),
    ("evaluate hpatches-results, tasks of pairs", "t/b.benchmark", "the first line only"),
    ("evaluate hpatches-results, tasks of pairs", "t/l.pairs", "missing"),
    # An image may have any number of patches, and a descriptor its values in any order.
    ("evaluate hpatches-results, images", "d/v_a/ref.csv", "a repeated line"),
    ("evaluate hpatches-results, images", "d/v_a/ref.csv", "columns swapped"),
    *(
        ("evaluate hpatches-results, images", "d/v_a/e1.npy", how)
        for how in ("a repeated line", "the first line only")
    ),
    # The diagonal of a matrix is not used.
    ("packed groupings", "m.npz", "NaN"),
    ("packed groupings", "m.npz", "infinite"),
    ("packed runs, queries in the collection", "a.run.gz", "the first line only"),
}
# If a file is missing in a folder, or a patch in its image, the error names the folder.
FOLDERS = {
    ("lists/k1", "missing"): "lists: has no rank list",
    ("lists/k2", "missing"): "lists: has no rank list",
    **{
        (f"{d}/train_{name}.results", "missing"): f"{d}/train_{other}.results: no train_X_{name}."
        for d in "de"
        for name, other in (("pos", "neg"), ("neg", "pos"))
    },
    ("d/t.results", "missing"): "d: has no task",
    ("d/v_a/ref.csv", "missing"): "d/v_a/ref: there is no .csv or .npy",
    ("d/v_a/e1.npy", "missing"): "d/v_a/e1: there is no .csv or .npy",
    ("d/v_a/ref.csv", "the first line only"): "d: has no descriptor of patch v_a.ref.1",
}


def _whole(name, text):
    """The bytes of a file with this text."""
    pack = PACKED.get(f".{name.rpartition('.')[2]}", str.encode)
    return pack(text)


def _broken(name, text, how):
    """The bytes of a malformed file; None if missing, unchanged if the fault does not apply."""
    whole = _whole(name, text)
    if name.endswith(tuple(PACKED)) and how in BREAKS_OF_PACKED:
        return BREAKS_OF_PACKED[how](whole)
    try:
        broken = BREAKS[how](text.encode())
        return whole if broken is None and how != "missing" else broken and _repacked(name, broken)
    except (ValueError, IndexError):
        return whole


def _repacked(name, raw):
    if name.endswith(".gz"):
        return _gzip(raw)
    return _whole(name, raw.decode()) if name.endswith(tuple(PACKED)) else raw


def _run(folder, verb, broken=None, how=None):
    arguments, files = VERBS[verb]
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        raw = _broken(name, text, how) if name == broken else _whole(name, text)
        if raw is not None:
            path.write_bytes(raw)
    given = [re.sub(r"\{(.*)\}", lambda found: str(folder / found[1]), a) for a in arguments]
    with pytest.raises(SystemExit) as left:
        main([*given, "--out", str(folder / "out")])
    return left.value.code


def _cases():
    for verb, (_, files) in VERBS.items():
        for name, text in files.items():
            for how in BREAKS | BREAKS_OF_PACKED:
                fits = how in BREAKS or name.endswith(tuple(PACKED))
                if fits and _broken(name, text, how) != _whole(name, text):
                    yield verb, name, how


@pytest.mark.parametrize("verb", VERBS)
def test_the_valid_files_are_accepted(verb, tmp_path):
    assert _run(tmp_path, verb) == 0


@pytest.mark.parametrize(("verb", "name", "how"), list(_cases()))
def test_a_malformed_file_is_an_error_in_one_line_that_names_it(verb, name, how, tmp_path, capsys):
    code = _run(tmp_path, verb, name, how)
    errors = capsys.readouterr().err
    if (verb, name, how) in GOOD:
        assert code == 0
        return
    assert code == 1, errors
    assert errors.startswith("sketch-study: ") and errors.count("\n") == 1
    assert FOLDERS.get((name, how), name.rpartition("/")[2]) in errors
    assert not (tmp_path / "out").exists()
