"""Degenerate judgments and systems, with the expected output of each command; see `VERBS`.

Each verb has arguments, whole files, and cases: ``(other files, what comes of it)``, which is a
refusal's text, or ``{"FILE column": value}`` with, under "says", what is told; or a sentence why
there is no such case. A value of None is an undefined one: an empty cell, null.
"""

from tests.analysis.commands.whole_files import GROUPINGS, SCORES, TRUTH

NO_RELEVANCE = "nothing is relevant or not"
NO_QUERIES = "there are no queries"
NO_NUMBERS = "there are no numbers"
_TRUTH, _SCORES = "query_id,stimulus_id,mean,rank\n", "query_id,stimulus_id,score\n"
_PEOPLE, _RATED = (
    "participant_id,stimulus_id,group_id\n",
    "participant_id,query_id,stimulus_id,score\n",
)
_GROUPED = "stimulus_id,group_id\n"


def _all(people, stimuli, line):
    return "".join(line(p, s) for p in range(people) for s in range(stimuli))


VERBS = {
    "analyse groupings": (
        ["analyse", "groupings", "{g.csv}", "--draws", "20"],
        {"g.csv": GROUPINGS},
        {
            "one item": (
                {"g.csv": _PEOPLE + "p,s,a\nr,s,a\n"},
                {"bcubed.f": None, "bcubed.f_random": None, "ari": None, "median_in_common": 1},
            ),
            "all tied": (
                {"g.csv": _PEOPLE + _all(3, 4, "p{},s{},a\n".format)},
                {"bcubed.f": 1, "bcubed.f_adjusted": None, "bcubed.p_value": 1},
            ),
            "all relevant": NO_RELEVANCE,
            "none relevant": NO_RELEVANCE,
            "missing queries": NO_QUERIES,
            "wrong pool": (
                {"g.csv": _PEOPLE + "p,s,a\np,t,a\nr,u,a\nr,v,a\n"},
                {
                    "bcubed.f": None,
                    "ari": None,
                    "says": "agreement undefined: no two participants share two",
                },
            ),
            "huge numbers": NO_NUMBERS,
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
            "all relevant": NO_RELEVANCE,
            "none relevant": NO_RELEVANCE,
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
                {"systems.csv tau_b": 0, "systems.csv undefined": 2, "says": "constant on 2"},
            ),
            "all relevant": NO_RELEVANCE,
            "none relevant": NO_RELEVANCE,
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
                {"systems.csv f": None, "systems.csv f_random": None, "systems.csv ari": None},
            ),
            "all tied": (
                {"c.csv": ",s0,s1,s2,s3,s4\n" + "".join(f"s{k},1,1,1,1,1\n" for k in range(5))},
                {
                    "systems.csv similarity_tau_b": None,
                    "systems.csv mantel_p": None,
                    "says": "–",
                },
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
                "c.csv: lacks stimulus 's0' of the gold standard (3 of 5 missing)",
            ),
            "wrong pool": ({"c.csv": _GROUPED + "z,x\n"}, "c.csv: lacks stimulus"),
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
}
