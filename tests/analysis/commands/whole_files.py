"""Every command with valid files of every format that it accepts."""

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
# command: (arguments, with file names in braces; {file: text})
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
    "evaluate hpatches-classification, folders": (
        [*CLASSIFICATION, "{d}", "{e}"],
        {f"{d}/train_{kind}.results": "0.5\n0.25\n" for d in "de" for kind in ("pos", "neg")},
    ),
    "evaluate hpatches-classification, whole tasks": (
        [*CLASSIFICATION, "{d}", "--labels", "{l}"],
        {"d/t.results": "0.5\n1.5\n0.7\n2.5\n", "l/t.labels": "1\n0\n1\n0\n"},
    ),
    "evaluate hpatches-results, tasks of pairs": (
        ["evaluate", "hpatches-results", "{d.npy}", "{t}"],
        {
            "d.npy": DESCRIPTORS,
            "d.txt": "\n".join(FOUND) + "\n",
            "t/b.benchmark": "p.pairs\nn.pairs\n",
            "t/p.pairs": "v_a.ref.1,v_a.e1.1\nv_a.ref.2,v_a.e1.2\n",
            "t/n.pairs": "v_a.ref.1,v_a.e1.2\nv_a.ref.2,v_a.e1.1\n",
            "t/l.pairs": "v_a.ref.1,v_a.e1.1,1\nv_a.ref.2,v_a.e1.1,0\n",
        },
    ),
    "evaluate hpatches-results, images": (
        ["evaluate", "hpatches-results", "{d}", "{b.benchmark}"],
        {
            "d/v_a/ref.csv": "".join(f"{k}.5,{k % 7}.25\n" for k in range(60)),
            "d/v_a/e1.npy": "".join(f"p,{k}.5,{k % 5}.25\n" for k in range(60)),
            "b.benchmark": BENCHMARK,
        },
    ),
    "packed judgments": (
        [*RANKING, "{s.csv.gz}", "--truth", "{t.csv.gz}", "--ratings", "{r.csv.gz}"],
        {"s.csv.gz": SCORES, "t.csv.gz": TRUTH, "r.csv.gz": SCALED},
    ),
    "packed groupings": (
        ["evaluate", "clustering", "{c.csv.gz}", "{m.npz}", "--truth", "{g.csv.gz}", "--distance"],
        {"c.csv.gz": CLUSTERING, "m.npz": MATRIX, "g.csv.gz": GROUPINGS},
    ),
    "packed runs, queries in the collection": (
        ["evaluate", "retrieval", "{a.run.gz}", "--qrels", "{q.gz}", "--queries-in-collection"],
        {"a.run.gz": RUN.replace("q1 ", "d1 "), "q.gz": QRELS.replace("q1 ", "d1 ")},
    ),
    "packed patches": (
        ["evaluate", "hpatches-results", "{d.csv.gz}", "{p.pairs}"],
        {"d.csv.gz": DESCRIPTORS, "p.pairs": "v_a.ref.1,v_a.e1.1,1\n"},
    ),
}
