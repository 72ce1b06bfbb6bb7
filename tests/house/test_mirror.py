"""Every module has its tests at the mirrored path, or stands here with where it is tested."""

from fnmatch import fnmatch

import pytest

from tests.conftest import PROJECT

PACKAGES = ("analysis", "basics", "printables", "study_app")
# Names and tables, without a decision that a test of their own could show.
WITHOUT_BEHAVIOUR = (
    "*/errors.py",
    "*/refusals.py",
    "*/__main__.py",
    "analysis/cli.py",
    "study_app/models/*",
    "study_app/core/migrations/env.py",
    "study_app/core/study_step.py",
    "study_app/commands/instance.py",
    "study_app/commands/threads.py",
)
# Steps of one path, tested by what comes out at its end.
TESTED_BY = {
    "study_app/accounts/audit/subjects.py": "study_app/web/security/test_access.py",
    "study_app/accounts/roles.py": "study_app/accounts/test_members.py",
    "study_app/cards/words.py": "study_app/cards/test_printing.py",
    "study_app/core/languages.py": "study_app/web/shared/test_languages.py",
    "study_app/core/acting.py": "study_app/accounts/audit/test_recording.py",
    # Files that a verb writes, through the verb.
    "analysis/reports/*": "analysis/commands",
    "analysis/commands/evaluate_hpatches_*": "analysis/commands/test_evaluate_hpatches.py",
    "analysis/commands/options.py": "analysis/commands/test_evaluate_ranking.py",
    "analysis/commands/query_figures.py": "analysis/commands/test_analyse_ratings.py",
    "analysis/figures/rows.py": "analysis/figures/test_systems.py",
    "analysis/figures/*": "analysis/figures/test_groupings_figures.py",
    "analysis/files/runs/run_checks.py": "analysis/files/runs/test_trec.py",
    "analysis/files/runs/trec_*": "analysis/files/runs/test_trec.py",
    "analysis/files/hpatches/tasks.py": "analysis/files/hpatches/test_pairs.py",
    "analysis/clusterings/shuffling.py": "analysis/clusterings/test_shuffled_groups.py",
    "analysis/statistics/means.py": "analysis/statistics/test_intervals.py",
    "analysis/statistics/weighted_truth.py": "analysis/statistics/test_joint_bootstrap.py",
    "analysis/groupings/contingency.py": "analysis/groupings/test_pair_agreement.py",
    "analysis/groupings/set_record.py": "analysis/groupings/test_set_agreement.py",
    # A picture to its place on paper, through the PDF that foreign programs read.
    "printables/artwork/svg_*": "printables/artwork/test_svg.py",
    "printables/artwork/drawings.py": "printables/artwork/test_svg.py",
    "printables/artwork/*": "printables/sheets/test_pdf_pictures.py",
    "printables/sheets/*": "printables/sheets/test_sheet.py",
    # A photo to its codes, through rendered tables.
    "basics/workers/process.py": "basics/workers/test_pool.py",
    "printables/reading/photos/film_decoding.py": "printables/reading/photos/test_film.py",
    "printables/reading/photos/photo_decoding.py": "printables/reading/photos/test_photo.py",
    "printables/reading/passes.py": "printables/reading/test_reader.py",
    "printables/reading/sighted.py": "printables/reading/test_reader.py",
    "printables/reading/symbols/symbol_model.py": "printables/reading/symbols/test_pose.py",
    "printables/reading/symbols/*": "printables/reading/test_reader.py",
    "printables/tabletop/blank_cards.py": "printables/reading/test_reader.py",
    "printables/scenes/*": "printables/scenes/test_render.py",
    # Verbs and rules, through the commands and pages that people use.
    "study_app/commands/backup.py": "study_app/operations/test_backup.py",
    "study_app/commands/export.py": "study_app/results/exports/test_export_command.py",
    "study_app/commands/people.py": "study_app/studies/people/test_rules.py",
    "study_app/commands/simulate.py": "study_app/simulation/test_simulate.py",
    "study_app/simulation/*": "study_app/simulation/test_simulate.py",
    "study_app/simulation/demo/*": "study_app/commands/test_demo.py",
    "study_app/accounts/sign_ins.py": "study_app/web/test_before_the_server.py",
    "study_app/accounts/researchers.py": "study_app/accounts/test_sign_in.py",
    "study_app/core/tokens.py": "study_app/web/test_tokens.py",
    "study_app/results/exports/*": "study_app/results/exports",
    "study_app/results/gold/*": "study_app/results/gold/test_gold.py",
    "study_app/operations/http/*": "study_app/commands/test_serve_attacks.py",
    "study_app/operations/restore.py": "study_app/operations/test_backup.py",
    "study_app/participation/*": "study_app/participation",
    "study_app/ranking/*": "study_app/ranking",
    "study_app/sittings/overview.py": "study_app/sittings/test_sittings.py",
    "study_app/studies/people/overview.py": "study_app/web/studies/test_people.py",
    "study_app/sittings/facts.py": "study_app/studies/people/test_rules.py",
    "study_app/sittings/withdrawal.py": "study_app/studies/people/test_withdrawal.py",
    "study_app/sittings/photos/*": "study_app/commands/test_record.py",
    "study_app/sittings/recording/*": "study_app/sittings/recording/test_events.py",
    "study_app/stimuli/references.py": "study_app/stimuli/test_stimuli.py",
    "study_app/stimuli/importing/*": "study_app/stimuli/importing/test_run.py",
    "study_app/core/storage/*": "study_app/core/storage/test_missing_files.py",
    "study_app/results/systems/clusterings.py": "study_app/results/systems/test_measured.py",
    "study_app/web/accounts/*": "study_app/accounts/test_sign_in.py",
    "study_app/web/cards/*": "study_app/web/test_cards.py",
    "study_app/web/participation/*": "study_app/participation/test_participate.py",
    "study_app/web/studies/people/*": "study_app/web/studies/test_people.py",
    "study_app/web/ranking/*": "study_app/ranking/test_pages.py",
    "study_app/web/sittings/*": "study_app/web/test_sittings.py",
    "study_app/web/results/gold.py": "study_app/results/gold/test_gold.py",
    "study_app/web/studies/studies.py": "study_app/studies/test_studies.py",
    "study_app/web/results/systems.py": "study_app/results/systems/test_ranking_pages.py",
    "study_app/web/*": "house/test_pages.py",
}


def _without_tests():
    """Modules that have none at the mirrored path."""
    for package in PACKAGES:
        for path in sorted((PROJECT / package).rglob("*.py")):
            place = path.relative_to(PROJECT)
            mirrored = PROJECT / "tests" / place.parent / f"test_{path.stem}.py"
            asked = path.name != "__init__.py" and "versions" not in place.parts
            if asked and not mirrored.is_file():
                yield place.as_posix()


def _matching(place, patterns):
    return next((pattern for pattern in patterns if fnmatch(place, pattern)), None)


def test_every_module_has_its_tests():
    left = [
        place
        for place in _without_tests()
        if not _matching(place, WITHOUT_BEHAVIOUR) and not _matching(place, TESTED_BY)
    ]
    assert left == [], "add tests at the mirrored path, or say in TESTED_BY where they are"


@pytest.mark.parametrize("pattern", [*TESTED_BY, *WITHOUT_BEHAVIOUR])
def test_no_exception_is_left_over(pattern):
    assert any(fnmatch(place, pattern) for place in _without_tests())
    where = TESTED_BY.get(pattern)
    assert where is None or (PROJECT / "tests" / where).exists()
