"""Every verb beside every degenerate input: a documented value, or a refusal that names the file.

What is broken in the files themselves (empty, repeated ids, NaN, infinite, swapped columns) is put
to every file of every verb in `test_malformed_files`. Here the files are sound, but what they hold
is not what anybody would measure. A value of None is an undefined one: an empty cell, null.
"""

import csv
import json
import re

import pytest

from study_app.cli import main
from tests.analysis.commands.test_malformed_files import (
    BENCHMARK,
    CLA,
    DESCRIPTORS,
    FOUND,
    GROUPINGS,
    LABELS,
    POOL,
    QRELS,
    RANKS,
    RESULTS,
    RUN,
    SCORES,
    SKETCHES,
    TRUTH,
)

CASES = (
    "one item",
    "all tied",
    "all relevant",
    "none relevant",
    "missing queries",
    "wrong pool",
    "huge numbers",
)
_TRUTH, _SCORES = "query_id,stimulus_id,mean,rank\n", "query_id,stimulus_id,score\n"
_PEOPLE, _RATED = (
    "participant_id,stimulus_id,group_id\n",
    "participant_id,query_id,stimulus_id,score\n",
)
_GROUPED = "stimulus_id,group_id\n"
_NO_RELEVANCE = "nothing is relevant or not"
_NO_QUERIES = "there are no queries"
_NO_NUMBERS = "there are no numbers"
_NO_POOL = "there is only one file"


def _all(people, stimuli, line):
    return "".join(line(p, s) for p in range(people) for s in range(stimuli))


# verb: (arguments, whole files, {case: (other files, what comes of it)}); what comes is a refusal's
# text, or {"FILE key": value} and, under "says", what is told; or a sentence why there is no such
# case.
VERBS = {
    "analyse groupings": (
        ["analyse", "groupings", "{g.csv}", "--draws", "20"],
        {"g.csv": GROUPINGS},
        {
            "one item": (
                {"g.csv": _PEOPLE + "p,s,a\nr,s,a\n"},
                {"bcubed.f": 1, "bcubed.f_random": 1, "bcubed.f_adjusted": None, "ari": None},
            ),
            "all tied": (
                {"g.csv": _PEOPLE + _all(3, 4, "p{},s{},a\n".format)},
                {"bcubed.f": 1, "bcubed.f_adjusted": None, "bcubed.p_value": 1},
            ),
            "all relevant": _NO_RELEVANCE,
            "none relevant": _NO_RELEVANCE,
            "missing queries": _NO_QUERIES,
            "wrong pool": (
                {"g.csv": _PEOPLE + "p,s,a\np,t,a\nr,u,a\nr,v,a\n"},
                {"bcubed.f": None, "ari": None, "says": "agreement undefined: no two of them"},
            ),
            "huge numbers": _NO_NUMBERS,
        },
    ),
    "analyse ratings": (
        ["analyse", "ratings", "{r.csv}", "--scale-best", "low"],
        {"r.csv": _RATED + _all(3, 4, lambda p, s: f"p{p},q,s{s},{1 + (p + s) % 5}\n")},
        {
            "one item": (
                {"r.csv": _RATED + "p,q,s,3\nr,q,s,4\n"},
                {"kendall_w.w": None, "leave_one_out_tau_b.lower": None, "says": "undefined"},
            ),
            "all tied": (
                {"r.csv": _RATED + _all(3, 4, "p{},q,s{},3\n".format)},
                {"kendall_w.w": None, "krippendorff_alpha.ordinal": None, "says": "undefined"},
            ),
            "all relevant": _NO_RELEVANCE,
            "none relevant": _NO_RELEVANCE,
            "missing queries": (
                {"r.csv": _RATED + "p,q,s,1\np,q,t,2\nr,o,s,1\nr,o,t,2\n"},
                {"kendall_w.w": None, "leave_one_out_tau_b.lower": None, "says": "undefined"},
            ),
            "wrong pool": (
                {"r.csv": _RATED + "p,q,s,1\np,q,t,2\nr,q,u,1\nr,q,v,2\n"},
                {"kendall_w.w": None, "leave_one_out_tau_b.lower": None, "says": "undefined"},
            ),
            "huge numbers": (
                {"r.csv": _RATED + "p,q,s,1\nr,q,s,1e308\n"},
                "r.csv:3: score is 1e+308; it should be 0, or between",
            ),
        },
    ),
    "evaluate ranking": (
        ["evaluate", "ranking", "--similarity", "{s.csv}", "--truth", "{t.csv}"],
        {"s.csv": SCORES, "t.csv": TRUTH},
        {
            "one item": (
                {"t.csv": _TRUTH + "q,s,1,1\n", "s.csv": _SCORES + "q,s,2\n"},
                {"systems.csv tau_b": None, "systems.csv undefined": 1, "says": "tau_b undefined"},
            ),
            "all tied": (
                {"s.csv": _SCORES + _all(2, 3, "q{},s{},7\n".format)},
                {"systems.csv tau_b": None, "systems.csv undefined": 2, "says": "2 undefined"},
            ),
            "all relevant": _NO_RELEVANCE,
            "none relevant": _NO_RELEVANCE,
            "missing queries": (
                {"s.csv": "\n".join(SCORES.split("\n")[:4])},
                "s.csv: has no score for candidate 's0' of query 'q1'",
            ),
            "wrong pool": ({"s.csv": SCORES.replace("\nq", "\nx")}, "s.csv: has no score for"),
            "huge numbers": (
                {"t.csv": _TRUTH + "q,s,1,1\nq,t,1e308,2\n", "s.csv": _SCORES + "q,s,2\nq,t,1\n"},
                "t.csv:3: mean is 1e+308; it should be 0, or between",
            ),
        },
    ),
    "evaluate clustering": (
        ["evaluate", "clustering", "{c.csv}", "--truth", "{g.csv}", "--distance"],
        {"c.csv": _GROUPED + "".join(f"s{s},{s % 2}\n" for s in range(5)), "g.csv": GROUPINGS},
        {
            "one item": (
                {"g.csv": _PEOPLE + "p,s,a\nr,s,a\n", "c.csv": _GROUPED + "s,x\n"},
                {"systems.csv f": 1, "systems.csv f_random": 1, "systems.csv ari": None},
            ),
            "all tied": (
                {"c.csv": ",s0,s1,s2,s3,s4\n" + "".join(f"s{k},1,1,1,1,1\n" for k in range(5))},
                {"systems.csv tau_b": None, "systems.csv spearman": None, "says": "nothing is"},
            ),
            "all relevant": (
                {"c.csv": _GROUPED + "".join(f"s{s},x\n" for s in range(5))},
                {"systems.csv recall": 1, "systems.csv f_adjusted": 0, "systems.csv p_value": 1},
            ),
            "none relevant": (
                {"c.csv": _GROUPED + "".join(f"s{s},{s}\n" for s in range(5))},
                {"systems.csv precision": 1, "systems.csv f_adjusted": 0, "systems.csv ari": 0},
            ),
            "missing queries": (
                {"c.csv": _GROUPED + "s1,x\ns2,x\n"},
                "c.csv: says nothing about stimulus 's0' of the gold standard (3 of 5 missing)",
            ),
            "wrong pool": ({"c.csv": _GROUPED + "z,x\n"}, "c.csv: says nothing about stimulus"),
            "huge numbers": (
                {
                    "c.csv": ",s0,s1,s2,s3,s4\n"
                    + "".join(
                        f"s{a}," + ",".join(f"{abs(a - b)}e307" for b in range(5)) + "\n"
                        for a in range(5)
                    )
                },
                {"systems.csv stimuli": 5, "systems.csv pairs": 10},
            ),
        },
    ),
    "evaluate retrieval": (
        ["evaluate", "retrieval", "{a.run}", "--qrels", "{q.txt}"],
        {"a.run": RUN, "q.txt": QRELS},
        {
            "one item": (
                {"a.run": "q Q0 d 1 1 t\n", "q.txt": "q 0 d 1\n"},
                {"systems.csv ap": 1, "systems.csv nn": 1, "systems.csv shrec_ap": None},
            ),
            "all tied": (
                {"a.run": "".join(f"q Q0 d{k} {k} 1 t\n" for k in range(4)), "q.txt": "q 0 d3 1\n"},
                {"systems.csv ap": 0.25, "queries.csv ties": 3},
            ),
            "all relevant": (
                {"q.txt": QRELS.replace(" 0\n", " 1\n")},
                {"systems.csv ap": 1, "systems.csv dcg": 1, "systems.csv shrec_ap": 1},
            ),
            "none relevant": (
                {"q.txt": QRELS.replace(" 1\n", " 0\n")},
                "q.txt: judges no document relevant to any of its 2 queries",
            ),
            "missing queries": (
                {"q.txt": QRELS + "q9 0 d1 1\n"},
                {"systems.csv ap": 1 / 3, "says": "no results for 1 judged queries (such as 'q9')"},
            ),
            "wrong pool": (
                {"q.txt": QRELS.replace(" d", " x")},
                {"systems.csv ap": 0, "says": "none of its results is relevant, so every measure"},
            ),
            "huge numbers": (
                {"a.run": RUN.replace("9.5", "1e308").replace("6.5", "-1e308")},
                {"systems.csv ap": 0.5},
            ),
        },
    ),
    "evaluate retrieval, queries in the collection": (
        ["evaluate", "retrieval", "{a.run}", "--qrels", "{q.txt}", "--queries-in-collection"],
        {"a.run": RUN.replace("q1 ", "d1 "), "q.txt": QRELS.replace("q1 ", "d1 ")},
        {
            "one item": (
                {"a.run": "d Q0 d 1 1 t\n", "q.txt": "d 0 d 1\n"},
                "q.txt: judges no document relevant to any of its 1 queries but the queries them",
            ),
            "all tied": (
                {
                    "a.run": "".join(f"d0 Q0 d{k} {k} 1 t\n" for k in range(4)),
                    "q.txt": "d0 0 d0 1\nd0 0 d3 1\n",
                },
                {"systems.csv ap": 1 / 3, "queries.csv ties": 3},
            ),
            "all relevant": (
                {"q.txt": QRELS.replace("q1 ", "d1 ").replace(" 0\n", " 1\n")},
                {"systems.csv ap": 1, "systems.csv dcg": 1},
            ),
            "none relevant": (
                {"q.txt": "d1 0 d1 1\nd1 0 d2 0\n"},
                "but the queries themselves; no measure is defined",
            ),
            "missing queries": (
                {"q.txt": "d1 0 d2 1\nd3 0 d2 1\n"},
                {"systems.csv ap": 0.25, "says": "no results for 1 judged queries (such as 'd3')"},
            ),
            "wrong pool": ({"q.txt": "x 0 y 1\n"}, "none of its 2 queries is judged in"),
            "huge numbers": (
                {"a.run": RUN.replace("q1 ", "d1 ").replace("9.5", "1e308")},
                {"systems.csv ap": (1 / 2 + 1 / 3) / 2},
            ),
        },
    ),
    "evaluate retrieval, classes": (
        ["evaluate", "retrieval", "{lists}", "--classes", "{m.cla}", "{k.cla}"],
        {"lists/k1": RANKS, "lists/k2": RANKS, "m.cla": CLA, "k.cla": SKETCHES},
        {
            "one item": (
                {
                    "lists/k1": "m1\n",
                    "lists/k2": None,
                    "m.cla": "PSB 1\n1 1\nbird 0 1\nm1\n",
                    "k.cla": "PSB 1\n1 1\nbird 0 1\nk1\n",
                },
                {"systems.csv ap": 1, "systems.csv shrec_ap": None},
            ),
            "all tied": (
                {"lists/k1": re.sub(r"0\.\d", "0.5", RANKS)},
                {"systems.csv nn": 0.5, "queries.csv ties": 3},
            ),
            "all relevant": (
                {
                    "m.cla": "PSB 1\n1 4\nbird 0 4\nm1\nm2\nm3\nm4\n",
                    "k.cla": "PSB 1\n1 2\nbird 0 2\nk1\nk2\n",
                },
                {"systems.csv ap": 1, "systems.csv st": 1},
            ),
            "none relevant": (
                {"k.cla": SKETCHES.replace("bird", "tree").replace("cup", "car")},
                "k.cla: none of its classes is in",
            ),
            "missing queries": (
                {"lists/k2": None},
                "lists: has no rank list for query 'k2' (1 missing in all)",
            ),
            "wrong pool": ({"lists/k1": RANKS.replace("m", "x")}, "k1:1: 'x1' is no model of"),
            "huge numbers": ({"lists/k1": RANKS.replace("0.4", "1e308")}, {"systems.csv nn": 0.5}),
        },
    ),
    "evaluate hpatches-classification": (
        ["evaluate", "hpatches-classification", "{p.results}"],
        {"p.results": "0.5,1\n1.5,0\n0.7,1\n2.5,0\n"},
        {
            "one item": ({"p.results": "0.5,1\n"}, "p.results: there are no negative pairs"),
            "all tied": (
                {"p.results": "5,1\n5,0\n5,0\n5,0\n"},
                {"ap": 0.25, "auc": 0.5, "fpr95": 1, "ap_trapezoid": 0.625},
            ),
            "all relevant": ({"p.results": "1,1\n2,1\n"}, "p.results: there are no negative"),
            "none relevant": ({"p.results": "1,0\n2,0\n"}, "p.results: there are no positive"),
            "missing queries": _NO_QUERIES,
            "wrong pool": _NO_POOL,
            "huge numbers": (
                {"p.results": "-1e308,1\n1e308,0\n2,1\n"},
                {"ap": 1, "auc": 1, "fpr95": 0},
            ),
        },
    ),
    "evaluate hpatches-classification, a folder": (
        ["evaluate", "hpatches-classification", "{d}"],
        {"d/train_easy_pos.results": "0.5\n0.7\n", "d/train_diffseq_neg.results": "1.5\n2.5\n"},
        {
            "one item": (
                {"d/train_easy_pos.results": "0.5\n", "d/train_diffseq_neg.results": "1.5\n"},
                {"systems.csv ap": 1, "systems.csv positives": 1, "systems.csv negatives": 1},
            ),
            "all tied": (
                {"d/train_easy_pos.results": "5\n5\n", "d/train_diffseq_neg.results": "5\n5\n"},
                {"systems.csv ap": 0.5, "systems.csv auc": 0.5},
            ),
            "all relevant": (
                {"d/train_diffseq_neg.results": None},
                "train_easy_pos.results: no train_X_neg.results to judge it with",
            ),
            "none relevant": (
                {"d/train_easy_pos.results": None},
                "train_diffseq_neg.results: no train_X_pos.results to judge it with",
            ),
            "missing queries": (
                {"d/train_diffseq_neg.results": "1.5\n"},
                "train_easy_pos.results with train_diffseq_neg.results: there are 1 negative",
            ),
            "wrong pool": (
                {"d/train_diffseq_neg.results": None, "d/test_diffseq_neg.results": "1.5\n2.5\n"},
                "train_easy_pos.results: no train_X_neg.results to judge it with",
            ),
            "huge numbers": (
                {"d/train_easy_pos.results": "1e308\n-1e308\n"},
                {"systems.csv auc": 0.5},
            ),
        },
    ),
    "evaluate hpatches-retrieval": (
        [
            *("evaluate", "hpatches-retrieval", "{r.results}"),
            *("--benchmark", "{b.benchmark}", "--labels", "{l.labels}"),
        ],
        {"r.results": RESULTS, "b.benchmark": BENCHMARK, "l.labels": LABELS},
        {
            "one item": (
                {"r.results": "\n".join(RESULTS.split("\n")[:2]), "b.benchmark": BENCHMARK[:-10]},
                {"patch_map": 1, "queries": 1},
            ),
            "all tied": _NO_NUMBERS,
            "all relevant": (
                {
                    "l.labels": POOL
                    + "".join(
                        ",".join([q, *[p for p in FOUND if p != q][:50]]) + "\n"
                        for q in ("v_a.ref.1", "v_a.ref.2")
                    )
                },
                {"patch_map": 1, "image_map": 1},
            ),
            "none relevant": (
                {"l.labels": POOL + "v_a.ref.1\nv_a.ref.2\n"},
                "l.labels: query v_a.ref.1 has no other patch to find; its AP is undefined",
            ),
            "missing queries": (
                {"r.results": "\n".join(RESULTS.split("\n")[:2])},
                "r.results:2: ends after 1 queries; b.benchmark asks for 2",
            ),
            "wrong pool": (
                {"r.results": RESULTS.replace(",v_a.e1.3,", ",v_z.e1.3,")},
                "r.results:2: v_z.e1.3 is not in the pool",
            ),
            "huge numbers": _NO_NUMBERS,
        },
    ),
    "evaluate hpatches-results": (
        ["evaluate", "hpatches-results", "{d.csv}", "{b.benchmark}"],
        {"d.csv": DESCRIPTORS, "b.benchmark": BENCHMARK},
        {
            "one item": (
                {"d.csv": "v_a.ref.1,1.5\nv_a.e1.1,2.5\n", "b.benchmark": POOL + "v_a.ref.1\n"},
                "d.csv: the pool has 2 patches; 51 are to be found",
            ),
            "all tied": (
                {"d.csv": "".join(f"{patch},1.5\n" for patch in FOUND)},
                {"says": "2 queries"},
            ),
            "all relevant": _NO_RELEVANCE,
            "none relevant": _NO_RELEVANCE,
            "missing queries": (
                {"b.benchmark": POOL + "v_a.ref.99\n"},
                "d.csv: has no descriptor of patch v_a.ref.99",
            ),
            "wrong pool": (
                {"b.benchmark": BENCHMARK.replace("v_a", "v_z")},
                "d.csv: has no descriptors of image v_z.ref (2 missing)",
            ),
            "huge numbers": (
                {"d.csv": DESCRIPTORS.replace(",9.5,", ",1e308,")},
                "give finite numbers up to 1e+100",
            ),
        },
    ),
}


def _run(folder, arguments, files):
    for name, text in files.items():
        if text is not None:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
    given = [re.sub(r"\{(.*)\}", lambda found: str(folder / found[1]), a) for a in arguments]
    with pytest.raises(SystemExit) as left:
        main([*given, "--out", str(folder / "out")])
    return left.value.code


def _written(out, where):
    """A value of the first row of a table (`systems.csv f`), or of a record (`bcubed.f`)."""
    table, _, column = where.rpartition(" ")
    if table:
        with (out / table).open(encoding="utf-8", newline="") as file:
            cell = next(csv.DictReader(file))[column]
        return float(cell) if cell else None
    (record,) = (path for path in out.glob("*.json"))
    value = json.loads(record.read_text(encoding="utf-8"))
    for key in column.split("."):
        value = value[key]
    return value


def _cases():
    for verb, (_, _, cases) in VERBS.items():
        for case, told in cases.items():
            if not isinstance(told, str):
                yield verb, case


def test_every_verb_is_asked_every_case():
    for verb, (_, _, cases) in VERBS.items():
        assert tuple(cases) == CASES, verb


@pytest.mark.parametrize(("verb", "case"), list(_cases()))
def test_a_degenerate_file_has_a_documented_value_or_a_refusal(verb, case, tmp_path, capsys):
    arguments, files, cases = VERBS[verb]
    others, expected = cases[case]
    code = _run(tmp_path, arguments, files | others)
    told = capsys.readouterr()
    if isinstance(expected, str):
        assert code == 1, told
        assert told.err.startswith("sketch-study: ") and told.err.count("\n") == 1
        assert expected in told.err
        assert not (tmp_path / "out").exists()
        return
    assert code == 0, told.err
    for where, value in expected.items():
        if where == "says":
            assert value in told.out + told.err
        else:
            assert _written(tmp_path / "out", where) == (
                None if value is None else pytest.approx(value)
            ), where
    assert "nan" not in told.out
