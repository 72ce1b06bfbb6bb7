"""The compose file, the image's scripts and the systemd unit."""

import os
import re
import shutil
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
import yaml

from study_app import cli
from tests.conftest import PROJECT, need

DOCKER = PROJECT / "docker"
SECRETS = {"database_password", "secret_key", "store_secret_key"}


@pytest.fixture(scope="module")
def compose():
    """The compose file."""
    return yaml.safe_load((DOCKER / "compose.yaml").read_text(encoding="utf-8"))


def test_the_compose_file_has_the_right_form():
    command = ["check-jsonschema", "--builtin-schema", "vendor.compose-spec"]
    path = str(DOCKER / "compose.yaml")
    checked = subprocess.run(
        [sys.executable, "-m", command[0].replace("-", "_"), *command[1:], path]
    )
    assert checked.returncode == 0


def test_services_are_hardened_and_have_no_passwords(compose):
    services = compose["services"]
    assert {"web1", "web2", "worker1", "worker2", "balancer", "database", "store"} < set(services)
    for name, service in services.items():
        assert service["read_only"] and service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "privileged" not in service and ("ports" in service) == (name == "balancer")
        for key, value in service["environment"].items():
            secret = re.search("PASSWORD|SECRET", key)
            assert not secret or value.startswith("/run/secrets/"), f"{name}: {key}"
        # No registry of somebody's own.
        assert not re.match(r"[^/]*[.:][^/]*/", service["image"]), name
    assert set(compose["secrets"]) == SECRETS
    assert compose["networks"]["inside"]["internal"]


def test_missing_variables_are_named(compose):
    text = (DOCKER / "compose.yaml").read_text(encoding="utf-8")
    used = set(re.findall(r"(?<!\$)\$\{(\w+)", text))
    required = dict(re.findall(r"(?<!\$)\$\{(\w+):\?([^}]+)\}", text))
    assert used == set(required) == {"SITE_HOST", "SECRETS"}
    assert all(secret in required["SECRETS"] for secret in SECRETS)


def test_commands_in_the_compose_file_exist(compose):
    unit = (PROJECT / "systemd" / "sketch-study.service").read_text(encoding="utf-8")
    started = re.search(r"^ExecStart=\S+ (.*)$", unit, re.MULTILINE)[1].split()
    dockerfile = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    first = re.findall(r'"([^"]+)"', re.search(r"^CMD (.*)$", dockerfile, re.MULTILINE)[1])
    services = compose["services"]
    given = [services[name]["command"] for name in ("web1", "web2", "worker1", "worker2")]
    for name, *options in [*given, started, first]:
        verb = cli.cli.get_command(None, name)
        verb.make_context(name, options)


@pytest.fixture
def entrypoint(tmp_path):
    """Runs the entry point with some environment; a stand-in prints what the program would see."""
    need(os.name == "posix" and shutil.which("sh"), "no shell")
    program = tmp_path / "sketch-study"
    program.write_text('#!/bin/sh\necho "$@" "$PGPASSWORD" "${AWS_SECRET_ACCESS_KEY:-unset}"\n')
    program.chmod(0o755)

    def run(**environment):
        path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            ["sh", DOCKER / "entrypoint.sh", "serve", "--port", "8000"],
            env={"PATH": path, "TMPDIR": str(tmp_path / "tmp"), "PGPASSWORD": "", **environment},
            capture_output=True,
            text=True,
        )

    return run


def test_secrets_come_from_files(entrypoint, tmp_path):
    (tmp_path / "password").write_text("it's $HOME `x`\n")
    done = entrypoint(PGPASSWORD_FILE=str(tmp_path / "password"))
    assert (done.returncode, done.stdout) == (0, "serve --port 8000 it's $HOME `x` unset\n")
    assert (tmp_path / "tmp").is_dir()


@pytest.mark.parametrize("content", [None, ""])
def test_a_missing_secret_stops_the_start(entrypoint, tmp_path, content):
    if content is not None:
        (tmp_path / "password").write_text(content)
    done = entrypoint(PGPASSWORD_FILE=str(tmp_path / "password"))
    assert done.returncode == 1 and "PGPASSWORD_FILE: " in done.stderr and not done.stdout


def test_the_health_check_uses_the_host_name_of_the_site(tmp_path):
    asked = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):  # as the standard library calls it
            asked.append((self.path, self.headers["Host"]))
            self.send_response(200 if len(asked) == 1 else 503)
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        site = {"SITE_HOST": "study.example.org", "SITE_PORT": str(server.server_port)}
        command = [sys.executable, DOCKER / "healthcheck.py"]
        codes = [subprocess.run(command, env={**os.environ, **site}).returncode for _ in range(2)]
        server.shutdown()
    assert codes == [0, 1] and asked == [("/healthz", "study.example.org")] * 2


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd-analyze is installed")
def test_the_unit_is_accepted_by_systemd(tmp_path):
    unit = (PROJECT / "systemd" / "sketch-study.service").read_text(encoding="utf-8")
    path = tmp_path / "sketch-study.service"
    path.write_text(unit.replace("/opt/sketch-study/bin/sketch-study", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", path], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    rated = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", path],
        capture_output=True,
    )
    assert rated.returncode == 0, rated.stdout
