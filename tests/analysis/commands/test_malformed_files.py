"""Every file of every verb, broken in every way: refused in one line that names it, nothing left.

Where a broken file is a good one all the same, it stands in `GOOD`, with the reason.
"""

import re

import pytest

from study_app.cli import main

GROUPINGS = "participant_id,stimulus_id,group_id\n" + "".join(
    f"p{p},s{s},g{(s + p * s) % 2}\n" for p in range(4) for s in range(5)
)
RATINGS = "participant_id,query_id,stimulus_id,score\n" + "".join(
    f"p{p},q{q},s{s},{1 + (p + q * s) % 5}\n" for p in range(3) for q in range(2) for s in range(4)
)
TRUTH = "query_id,stimulus_id,mean,rank\n" + "".join(
    f"q{q},s{s},{mean},{rank}\n"
    for q in range(2)
    for s, (mean, rank) in enumerate(zip((2, 8, 5), (3, 1, 2), strict=True))
)
SCORES = "query_id,stimulus_id,score\n" + "".join(
    f"q{q},s{s},{s + 0.5}\n" for q in range(2) for s in range(3)
)
SCALED = "participant_id,query_id,stimulus_id,score\n" + "".join(
    f"p{p},q{q},s{s},{mean + p - 1}\n"
    for p in range(3)
    for q in range(2)
    for s, mean in enumerate((2, 8, 5))
)
CLUSTERING = "stimulus_id,group_id\n" + "".join(f"s{s},g{s % 2}\n" for s in range(5))
MATRIX = ",s0,s1,s2,s3,s4\n" + "".join(
    f"s{a}," + ",".join(f"{abs(a - b)}.5" for b in range(5)) + "\n" for a in range(5)
)
RUN = "".join(f"q{q} Q0 d{d} {d} {9.5 - d} tag\n" for q in range(2) for d in range(4))
QRELS = "".join(f"q{q} 0 d{d} {d % 2}\n" for q in range(2) for d in range(4))
CLA = "PSB 1\n2 4\n\nbird 0 2\nm1\nm2\n\ncup 0 2\nm3\nm4\n"
SKETCHES = "PSB 1\n2 2\n\nbird 0 1\nk1\n\ncup 0 1\nk2\n"
RANKS = "m1 0.1\nm3 0.2\nm2 0.3\nm4 0.4\n"
PAIRS = "0.5,1\n1.5,0\n0.7,1\n2.5,0\n"
POOL = "v_a.ref,v_a.e1\n"
FOUND = [f"v_a.{image}.{k}" for k in range(1, 60) for image in ("ref", "e1")]
BENCHMARK = POOL + "v_a.ref.1\nv_a.ref.2\n"
LABELS = POOL + "v_a.ref.1,v_a.e1.1\nv_a.ref.2,v_a.e1.2\n"
RESULTS = POOL + "".join(
    ",".join([query, *[p for p in FOUND if p != query][:50]]) + "\n"
    for query in ("v_a.ref.1", "v_a.ref.2")
)
DESCRIPTORS = "".join(f"{patch},{k}.5,{k % 7}.25\n" for k, patch in enumerate(FOUND))

RANKING = ["evaluate", "ranking", "--similarity"]
CLASSIFICATION = ["evaluate", "hpatches-classification"]
RETRIEVAL = ["evaluate", "hpatches-retrieval"]
# verb: (arguments, in which a file is named in braces, {file: text})
VERBS = {
    "analyse groupings": (["analyse", "groupings", "{g.csv}"], {"g.csv": GROUPINGS}),
    "analyse ratings": (
        ["analyse", "ratings", "{r.csv}", "--scale-best", "low"],
        {"r.csv": RATINGS},
    ),
    "evaluate ranking": (
        [*RANKING, "{s.csv}", "--truth", "{t.csv}", "--ratings", "{r.csv}"],
        {"s.csv": SCORES, "t.csv": TRUTH, "r.csv": SCALED},
    ),
    "evaluate ranking, a run": (
        [*RANKING, "{s.run}", "--truth", "{t.csv}"],
        {"s.run": RUN.replace(" d", " s"), "t.csv": TRUTH},
    ),
    "evaluate clustering": (
        ["evaluate", "clustering", "{c.csv}", "{m.csv}", "--truth", "{g.csv}", "--distance"],
        {"c.csv": CLUSTERING, "m.csv": MATRIX, "g.csv": GROUPINGS},
    ),
    "evaluate retrieval": (
        ["evaluate", "retrieval", "{a.run}", "--qrels", "{q.txt}"],
        {"a.run": RUN, "q.txt": QRELS},
    ),
    "evaluate retrieval, classes": (
        ["evaluate", "retrieval", "{lists}", "--classes", "{m.cla}", "{k.cla}"],
        {"lists/k1": RANKS, "lists/k2": RANKS, "m.cla": CLA, "k.cla": SKETCHES},
    ),
    "evaluate hpatches-classification": ([*CLASSIFICATION, "{p.results}"], {"p.results": PAIRS}),
    "evaluate hpatches-classification, labels": (
        [*CLASSIFICATION, "{p.results}", "--labels", "{p.labels}"],
        {"p.results": "0.5\n1.5\n0.7\n2.5\n", "p.labels": "1\n0\n1\n0\n"},
    ),
    "evaluate hpatches-retrieval": (
        [*RETRIEVAL, "{r.results}", "--benchmark", "{b.benchmark}", "--labels", "{l.labels}"],
        {"r.results": RESULTS, "b.benchmark": BENCHMARK, "l.labels": LABELS},
    ),
    "evaluate hpatches-results": (
        ["evaluate", "hpatches-results", "{d.csv}", "{b.benchmark}"],
        {"d.csv": DESCRIPTORS, "b.benchmark": BENCHMARK},
    ),
}


def _last_number(raw, word):
    """Put a word in the place of the last number with a decimal point, or the last number."""
    places = list(re.finditer(rb"(?<=[ ,\n])\d+\.\d+(?=[ ,\n])", raw))
    places = places or list(re.finditer(rb"(?<=[ ,\n])\d+(?=[ ,\n])", raw))
    return raw[: places[-1].start()] + word + raw[places[-1].end() :] if places else None


def _shorter_line(raw):
    """Leave out the last field of the last line."""
    lines = raw.rstrip(b"\n").split(b"\n")
    fields = re.split(rb"([ ,])", lines[-1])
    return None if len(fields) < 3 else b"\n".join([*lines[:-1], b"".join(fields[:-2])]) + b"\n"


def _columns_swapped(raw):
    """Reverse the fields below the first line, or of all lines where they have blanks."""
    lines = raw.rstrip(b"\n").split(b"\n")
    sign = b"," if b"," in raw else b" "
    turned = [sign.join(line.split(sign)[::-1]) for line in lines]
    return b"\n".join([lines[0] if sign == b"," else turned[0], *turned[1:]]) + b"\n"


def _rank_swapped(raw):
    """Put the ranks of a ground truth or a run in the place of the means or scores."""
    raw = raw.replace(b"mean,rank", b"rank,mean")
    return re.sub(rb"( Q0 \S+) (\S+) (\S+)", rb"\1 \3 \2", raw)


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
    # A query that a run leaves out counts 0, and is named.
    ("evaluate retrieval", "a.run", "the first line only"),
    # A rank list may be short, and have its distances before or behind the models.
    *(
        ("evaluate retrieval, classes", name, how)
        for name in ("lists/k1", "lists/k2")
        for how in ("the first line only", "columns swapped")
    ),
    # Two pairs may have one distance.
    ("evaluate hpatches-classification", "p.results", "a repeated line"),
}


def _run(folder, verb, broken=None, how=None):
    arguments, files = VERBS[verb]
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        raw = text.encode()
        if name == broken:
            raw = BREAKS[how](raw)
            if raw is None:
                assert how == "missing"
                continue
        path.write_bytes(raw)
    given = [re.sub(r"\{(.*)\}", lambda found: str(folder / found[1]), a) for a in arguments]
    with pytest.raises(SystemExit) as left:
        main([*given, "--out", str(folder / "out")])
    return left.value.code


def _cases():
    for verb, (_, files) in VERBS.items():
        for name, text in files.items():
            for how, broken in BREAKS.items():
                if how == "missing" or broken(text.encode()) not in (None, text.encode()):
                    yield verb, name, how


@pytest.mark.parametrize("verb", VERBS)
def test_the_whole_files_are_good(verb, tmp_path):
    assert _run(tmp_path, verb) == 0


@pytest.mark.parametrize(("verb", "name", "how"), list(_cases()))
def test_a_broken_file_is_refused_in_one_line_that_names_it(verb, name, how, tmp_path, capsys):
    code = _run(tmp_path, verb, name, how)
    said = capsys.readouterr().err
    if (verb, name, how) in GOOD:
        assert code == 0
        return
    assert code == 1, said
    assert said.startswith("sketch-study: ") and said.count("\n") == 1
    named = "lists: has no rank list" if name.startswith("lists") and how == "missing" else name
    assert named.rpartition("/")[2] in said
    assert not (tmp_path / "out").exists()
