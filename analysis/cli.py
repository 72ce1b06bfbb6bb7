"""The commands `sketch-study analyse …` and `sketch-study evaluate …`.

They read and write files and need no study or database. Each is loaded when called.
"""

from basics.verbs import LazyGroup

ANALYSE = {
    "groupings": "analysis.commands.analyse_groupings:groupings",
    "ratings": "analysis.commands.analyse_ratings:ratings",
}
EVALUATE = {
    "ranking": "analysis.commands.evaluate_ranking:ranking",
    "clustering": "analysis.commands.evaluate_clustering:clustering",
    "retrieval": "analysis.commands.evaluate_retrieval:retrieval",
    "hpatches-classification": (
        "analysis.commands.evaluate_hpatches_classification:hpatches_classification"
    ),
    "hpatches-retrieval": "analysis.commands.evaluate_hpatches_retrieval:hpatches_retrieval",
    "hpatches-results": "analysis.commands.evaluate_hpatches_results:hpatches_results",
}


analyse = LazyGroup(
    ANALYSE,
    name="analyse",
    help="Compute a gold standard from judgments: groupings of cards, or ratings of images.\n\n"
    "Example: sketch-study analyse groupings groupings.csv --out gold",
)
evaluate = LazyGroup(
    EVALUATE,
    name="evaluate",
    help="Evaluate systems against a gold standard or a public benchmark.\n\n"
    "Example: sketch-study evaluate ranking --truth ground_truth.csv hog.csv --distance --out out",
)
