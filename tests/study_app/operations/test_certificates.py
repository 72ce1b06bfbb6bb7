"""HTTPS with the installation's own authority, asked with Python's own TLS client."""

import ssl
import subprocess
import sys
import urllib.request
from datetime import timedelta

import pytest
from cryptography import x509

from study_app.operations.certificates import authority_path, server_certificate


def test_the_server_certificate_is_short_lived_and_reused(tmp_path):
    certificate, key = server_certificate(tmp_path)
    leaf = x509.load_pem_x509_certificate(certificate.read_bytes())
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc <= timedelta(days=825)
    assert "localhost" in leaf.extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    ).value.get_values_for_type(x509.DNSName)
    before = certificate.read_bytes()
    assert server_certificate(tmp_path) == (certificate, key)
    assert certificate.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no owner-only file mode")
def test_keys_are_readable_by_their_owner_only(tmp_path):
    server_certificate(tmp_path)
    for key in tmp_path.rglob("*.key"):
        assert key.stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_pages_are_served_over_https(tmp_path):
    command = [sys.executable, "-u", "-m", "study_app", "serve", "--https", "--port", "0"]
    command += ["--instance", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        try:
            address = process.stdout.readline().split()[2]
            trusting = ssl.create_default_context(cafile=str(authority_path(tmp_path)))
            with urllib.request.urlopen(f"{address}/sign-in", context=trusting) as answer:
                assert answer.status == 200
                assert "Secure" in answer.headers["Set-Cookie"]
            with pytest.raises(OSError, match="certificate"):
                urllib.request.urlopen(address, context=ssl.create_default_context())
        finally:
            process.kill()
