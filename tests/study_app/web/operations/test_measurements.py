"""Requests are counted and logged by route, without tokens, names or addresses."""

import json
import logging

from study_app.core.database import writing
from study_app.models import Job
from study_app.operations.json_log import JsonFormatter

TOKEN = "Zx8-secret_of_a_participant"


def test_the_log_has_routes_but_no_typed_values(client, study_id, app, caplog):
    with app.app_context(), writing() as session:
        session.add(Job(study_id=study_id, kind="print"))
        session.add(Job(study_id=study_id, kind="print", owner="x"))
    with caplog.at_level(logging.INFO, "study_app.requests"):
        client.get(f"/take-part/{TOKEN}/?name=Ada")
        client.get("/nowhere/Ada")
        client.get(f"/studies/{study_id}/sketches/")
    lines = [json.loads(JsonFormatter().format(record)) for record in caplog.records]
    logged = [(line["method"], line["route"], line["status"]) for line in lines]
    assert logged == [
        ("GET", "/take-part/<token>/", 404),
        ("GET", "none", 404),
        ("GET", "/studies/<int:study_id>/sketches/", 200),
    ]
    metrics = client.get("/metrics").get_data(as_text=True)
    counted = (
        'sketch_study_request_seconds_count{method="GET",route="/take-part/<token>/",status="404"}'
    )
    assert counted in metrics
    assert 'sketch_study_jobs{state="waiting"} 1.0' in metrics
    assert 'sketch_study_jobs{state="running"} 1.0' in metrics
    everything = metrics + json.dumps(lines)
    assert TOKEN not in everything and "Ada" not in everything and "127.0.0.1" not in everything


def test_an_unknown_http_method_adds_no_series(client):
    client._client.open("/healthz", method="BREW")
    metrics = client.get("/metrics").get_data(as_text=True)
    assert "BREW" not in metrics and 'method="other"' in metrics
