"""Withdrawing a sitting, and deleting a photo permanently."""

from flask import current_app, flash, redirect, url_for
from flask.typing import ResponseReturnValue

from study_app.core.text.languages import rgettext
from study_app.sittings import sittings
from study_app.sittings import withdrawal as rules
from study_app.sittings.photos import photo_files
from study_app.studies.people.withdrawal import erasing
from study_app.web.security.access import study
from study_app.web.security.security import signed_in_researcher
from study_app.web.sittings import blueprint


@blueprint.post("/<code>/withdraw")
def withdraw(study_id: int, code: str) -> ResponseReturnValue:
    """Delete everything of one sitting permanently."""
    with erasing(current_app.config["SETTINGS"], study_id, code) as erasure:
        withdrawn = sittings.find(erasure.session, study().id, code, lock=True)
        erasure.photos += rules.withdraw_sitting(
            erasure.session, withdrawn, signed_in_researcher().id
        )
    flash(
        rgettext(
            "The data of %(code)s were deleted. Results are computed without them from now on.",
            code=code,
        )
    )
    return redirect(url_for(".sitting", study_id=study_id, code=code))


@blueprint.post("/<code>/photos/<int:photo_id>/delete")
def delete_photo(study_id: int, code: str, photo_id: int) -> ResponseReturnValue:
    """Delete a photo permanently; data recorded from it stay."""
    about = f"{code}, photo {photo_id}"
    with erasing(current_app.config["SETTINGS"], study_id, about) as erasure:
        sitting = sittings.find(erasure.session, study().id, code, lock=True)
        photo = photo_files.find(erasure.session, sitting, photo_id)
        erasure.photos += rules.delete_photo(erasure.session, photo, signed_in_researcher().id)
    flash(rgettext("The photo was deleted permanently."))
    return redirect(url_for(".sitting", study_id=study_id, code=code))
