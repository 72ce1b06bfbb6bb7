"""HTTPS on a lab's network: the installation's own certificate authority and certificate.

Phones allow the live camera on secure pages only, and no public authority signs for an address on a
lab's network. So the installation has its own authority, which each phone installs once.
The authority is constrained to local names, private addresses and the address that this machine had
when it was made: it cannot sign for anything else.
"""

import ipaddress
import os
import socket
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

FOLDER = "authority"
AUTHORITY_LIFE = timedelta(days=3650)
# Browsers reject certificates that are valid for more than 825 days.
LEAF_LIFE = timedelta(days=800)
RENEW_BEFORE = timedelta(days=30)

PRIVATE_NETWORKS = [
    "127.0.0.0/8",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "100.64.0.0/10",
    "::1/128",
    "fc00::/7",
    "fe80::/10",
]


def authority_path(instance: Path) -> Path:
    """The authority's certificate, for phones to install."""
    return instance / FOLDER / "authority.pem"


def local_addresses() -> list[str]:
    """This machine's address on its network, if it can be determined; nothing is sent."""
    found = {"127.0.0.1"}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
            found.add(probe.getsockname()[0])
        except OSError:
            pass
    return sorted(found)


def server_certificate(instance: Path) -> tuple[Path, Path]:
    """Paths of a certificate and its key for this machine, created or renewed if needed.

    Returns
    -------
    certificate, key : Path
        PEM files; the certificate file contains the chain.
    """
    folder = instance / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    certificate, key = folder / "server.pem", folder / "server.key"
    authority, authority_key = _authority(instance)
    names = _names(authority)
    if not _serves(certificate, names, authority):
        leaf_key = ec.generate_private_key(ec.SECP256R1())
        leaf = _sign_leaf(leaf_key.public_key(), names, authority, authority_key)
        _write_private(key, leaf_key)
        certificate.write_bytes(_pem(leaf) + _pem(authority))
    return certificate, key


def _names(authority: x509.Certificate) -> list[x509.GeneralName]:
    """The names and addresses of this machine that the authority may sign for."""
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    permitted = [
        ipaddress.ip_network(subtree.value)
        for subtree in constraints.permitted_subtrees or ()
        if isinstance(subtree, x509.IPAddress)
    ]
    host = socket.gethostname()
    addresses = [ipaddress.ip_address(address) for address in local_addresses()]
    dns = {"localhost", host, host.split(".")[0] + ".local"}
    return [
        *(x509.DNSName(name) for name in sorted(dns) if name.isascii()),
        *(x509.IPAddress(address) for address in addresses if any(address in n for n in permitted)),
    ]


def _authority(instance: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """The installation's authority and its key, created at first use."""
    path, key_path = authority_path(instance), instance / FOLDER / "authority.key"
    if path.exists() and key_path.exists():
        key = serialization.load_pem_private_key(key_path.read_bytes(), None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise ValueError(
                f"{key_path}: contains a key of another kind; remove {key_path.parent}"
            )
        return x509.load_pem_x509_certificate(path.read_bytes()), key
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name(
        [x509.NameAttribute(NameOID.COMMON_NAME, f"sketch-study on {socket.gethostname()}"[:64])]
    )
    begin = datetime.now(UTC)
    networks = [*PRIVATE_NETWORKS, *local_addresses()]
    constraints = x509.NameConstraints(
        permitted_subtrees=[
            *(x509.DNSName(dns) for dns in ("localhost", "local", socket.gethostname())),
            *(x509.IPAddress(ipaddress.ip_network(network)) for network in networks),
        ],
        excluded_subtrees=None,
    )
    certificate = (
        _builder(name, name, key.public_key(), begin, AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(constraints, critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .sign(key, hashes.SHA256())
    )
    _write_private(key_path, key)
    path.write_bytes(_pem(certificate))
    return certificate, key


def _sign_leaf(
    public_key: ec.EllipticCurvePublicKey,
    names: Sequence[x509.GeneralName],
    authority: x509.Certificate,
    authority_key: ec.EllipticCurvePrivateKey,
) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sketch-study")])
    issuer_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    return (
        _builder(name, authority.subject, public_key, datetime.now(UTC), LEAF_LIFE)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(issuer_key, critical=False)
        .sign(authority_key, hashes.SHA256())
    )


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    public_key: ec.EllipticCurvePublicKey,
    begin: datetime,
    life: timedelta,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public_key)
        .serial_number(x509.random_serial_number())
        # A phone's clock may be slightly behind.
        .not_valid_before(begin - timedelta(hours=1))
        .not_valid_after(begin + life)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
    )


def _usage(signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _serves(path: Path, names: Sequence[x509.GeneralName], authority: x509.Certificate) -> bool:
    """Whether the certificate exists, is by this authority for these names, and is still valid."""
    if not path.exists():
        return False
    leaf = x509.load_pem_x509_certificate(path.read_bytes())
    kind = x509.SubjectAlternativeName
    return (
        leaf.issuer == authority.subject
        and list(leaf.extensions.get_extension_for_class(kind).value) == names
        and leaf.not_valid_after_utc > datetime.now(UTC) + RENEW_BEFORE
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _write_private(path: Path, key: ec.EllipticCurvePrivateKey) -> None:
    """Write a key that only its owner can read."""
    text = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    descriptor = os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(text)
