"""An S3 server for the tests: one that is installed, else moto's."""

import logging
import os
import shutil
import socket
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from tests.waiting import until

BUCKET = "study"
KEYS = {"AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "tests-secret"}


def kind():
    """Which server the tests use."""
    return "minio" if shutil.which("minio") else "moto (no minio is installed)"


@contextmanager
def running():
    """The environment by which obstore finds a running server."""
    with (_minio if shutil.which("minio") else _moto)() as address:
        yield {
            **KEYS,
            "AWS_ENDPOINT_URL": address,
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
        }


@contextmanager
def _moto():
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        yield "http://{}:{}".format(*server.get_host_and_port())
    finally:
        server.stop()


@contextmanager
def _minio():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    environment = {
        **os.environ,
        "MINIO_ROOT_USER": KEYS["AWS_ACCESS_KEY_ID"],
        "MINIO_ROOT_PASSWORD": KEYS["AWS_SECRET_ACCESS_KEY"],
    }
    with TemporaryDirectory() as folder:
        (Path(folder) / "data").mkdir()
        command = ["minio", "server", f"{folder}/data", "--address", address]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        try:
            _wait(f"http://{address}/minio/health/live")
            yield f"http://{address}"
        finally:
            process.terminate()
            process.wait()


def _wait(address):
    def answers():
        with suppress(OSError), urlopen(address):
            return True

    until(answers)


def make_bucket(environment, bucket=BUCKET):
    """An empty bucket."""
    import boto3

    boto3.client(
        "s3",
        endpoint_url=environment["AWS_ENDPOINT_URL"],
        aws_access_key_id=environment["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=environment["AWS_SECRET_ACCESS_KEY"],
        region_name=environment["AWS_REGION"],
    ).create_bucket(Bucket=bucket)
