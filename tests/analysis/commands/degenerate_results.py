"""Degenerate results of systems, with the expected output, as in `degenerate_judgments`."""

import re

from tests.analysis.commands.degenerate_judgments import NO_NUMBERS, NO_QUERIES, NO_RELEVANCE
from tests.analysis.commands.whole_files import (
    BENCHMARK,
    CLA,
    DESCRIPTORS,
    FOUND,
    LABELS,
    POOL,
    QRELS,
    RANKS,
    RESULTS,
    RUN,
    SKETCHES,
)

NO_POOL = "there is only one file"

VERBS = {
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
                {"systems.csv ap": 0.25, "queries.csv ties": 3, "says": "a: 3 of 4 results tied"},
            ),
            "all relevant": (
                {"q.txt": QRELS.replace(" 0\n", " 1\n")},
                {"systems.csv ap": 1, "systems.csv dcg": 1, "systems.csv shrec_ap": 1},
            ),
            "none relevant": (
                {"q.txt": QRELS.replace(" 1\n", " 0\n")},
                "q.txt: no documents are relevant to any query",
            ),
            "missing queries": (
                {"q.txt": QRELS + "q9 0 d1 1\n"},
                {"systems.csv ap": 1 / 3, "says": "no results for 1 judged query (such as 'q9')"},
            ),
            "wrong pool": (
                {"q.txt": QRELS.replace(" d", " x")},
                {"systems.csv ap": 0, "says": "no result is relevant, so all measures"},
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
                "q.txt: no documents other than the queries themselves are relevant to any query",
            ),
            "all tied": (
                {
                    "a.run": "".join(f"d0 Q0 d{k} {k} 1 t\n" for k in range(4)),
                    "q.txt": "d0 0 d0 1\nd0 0 d3 1\n",
                },
                {"systems.csv ap": 1 / 3, "queries.csv ties": 2, "says": "a: 2 of 3 results tied"},
            ),
            "all relevant": (
                {"q.txt": QRELS.replace("q1 ", "d1 ").replace(" 0\n", " 1\n")},
                {"systems.csv ap": 1, "systems.csv dcg": 1},
            ),
            "none relevant": (
                {"q.txt": "d1 0 d1 1\nd1 0 d2 0\n"},
                "no documents other than the queries themselves are relevant to any query",
            ),
            "missing queries": (
                {"q.txt": "d1 0 d2 1\nd3 0 d2 1\n"},
                {"systems.csv ap": 0.25, "says": "no results for 1 judged query (such as 'd3')"},
            ),
            "wrong pool": ({"q.txt": "x 0 y 1\n"}, "its queries are not judged in"),
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
                "k.cla: has no class of",
            ),
            "missing queries": (
                {"lists/k2": None},
                "lists: has no rank list for query 'k2' (1 missing in all)",
            ),
            "wrong pool": ({"lists/k1": RANKS.replace("m", "x")}, "k1:1: 'x1' is not a model in"),
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
            "missing queries": NO_QUERIES,
            "wrong pool": NO_POOL,
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
                "train_easy_pos.results: no train_X_neg.results in the folder to combine",
            ),
            "none relevant": (
                {"d/train_easy_pos.results": None},
                "train_diffseq_neg.results: no train_X_pos.results in the folder to combine",
            ),
            "missing queries": (
                {"d/train_diffseq_neg.results": "1.5\n"},
                "train_easy_pos.results with train_diffseq_neg.results: the balanced protocol",
            ),
            "wrong pool": (
                {"d/train_diffseq_neg.results": None, "d/test_diffseq_neg.results": "1.5\n2.5\n"},
                "train_easy_pos.results: no train_X_neg.results in the folder to combine",
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
            "all tied": NO_NUMBERS,
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
                "l.labels: query v_a.ref.1 has no other patch to find, so its AP is undefined",
            ),
            "missing queries": (
                {"r.results": "\n".join(RESULTS.split("\n")[:2])},
                "r.results:2: has results for 1 query; b.benchmark has 2",
            ),
            "wrong pool": (
                {"r.results": RESULTS.replace(",v_a.e1.3,", ",v_z.e1.3,")},
                "r.results:2: v_z.e1.3 is not in the pool",
            ),
            "huge numbers": NO_NUMBERS,
        },
    ),
    "evaluate hpatches-results": (
        ["evaluate", "hpatches-results", "{d.csv}", "{b.benchmark}"],
        {"d.csv": DESCRIPTORS, "b.benchmark": BENCHMARK},
        {
            "one item": (
                {"d.csv": "v_a.ref.1,1.5\nv_a.e1.1,2.5\n", "b.benchmark": POOL + "v_a.ref.1\n"},
                "d.csv: the pool has only 2 patches, but 51 should be found",
            ),
            "all tied": (
                {"d.csv": "".join(f"{patch},1.5\n" for patch in FOUND)},
                {"says": "2 queries"},
            ),
            "all relevant": NO_RELEVANCE,
            "none relevant": NO_RELEVANCE,
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
