"""An export is made and fetched from the page."""

import io
import zipfile

from tests.printed_table import print_set
from tests.waiting import until


def test_an_export_is_started_followed_and_downloaded(app, client, stranger, study_id, tmp_path):
    print_set(app, study_id, tmp_path)
    address = f"/studies/{study_id}/export/"
    assert stranger.post(address).status_code in (302, 401)
    assert client.get(f"{address}zip").status_code == 404
    assert client.post(address).status_code == 302
    until(lambda: client.get(f"{address}zip").status_code != 404)
    assert "Request not completed" not in client.get(address).get_data(as_text=True)
    with zipfile.ZipFile(io.BytesIO(client.get(f"{address}zip").data)) as made:
        names = made.namelist()
    assert any(name.endswith("dataset_description.json") for name in names)
