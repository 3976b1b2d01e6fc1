"""Behind a proxy and an own certificate authority: the usual variables reach every client.

One server is both: a proxy that answers CONNECT, and then speaks TLS as the host that was asked
for, with a certificate of an authority that only the test's bundle knows.
"""

from __future__ import annotations

import datetime as dt
import io
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis as redis_client
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from github import Auth

from bot.slack_views import open_loading
from deploy.sandbox.redis_server import free_port
from tests.bot.app import settings
from workers.effects import EffectLedger
from workers.errors import Transient
from workers.github_client import Credentials, GithubClient
from workers.secrets_box import SecretsBox
from workers.slack_access import SlackAccess
from workers.slack_client import SlackSpeaker
from workers.slack_installations import SlackInstallations

GITHUB = "github.corp.test"
SLACK = "slack.corp.test"
VARIABLES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY")
BUNDLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR")

ANSWER = (
    b'{"ok": true, "id": 1, "team_id": "T1", "user_id": "U1", "view": {"id": "V1", "hash": "h"}}'
)


class Proxy:
    """Remembers which hosts were asked for, and the requests that came through."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.hosts: list[str] = []
        self.requests: list[str] = []
        self._context = context
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(5)
                self._answer(connection)

    def _answer(self, connection: socket.socket) -> None:
        verb, host, _ = _head(connection).split(" ", 2)
        if verb != "CONNECT":
            return
        self.hosts.append(host)
        connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        try:
            with self._context.wrap_socket(connection, server_side=True) as secure:
                self.requests.append(_head(secure))
                length = str(len(ANSWER)).encode()
                secure.sendall(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n"
                    b"Content-Length: " + length + b"\r\n\r\n" + ANSWER
                )
        except (OSError, ValueError):
            return  # the client did not trust the certificate


def _head(connection: socket.socket) -> str:
    """The request line; the headers and a body are read, too."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65_536)
        if not piece:
            raise ValueError("The client has gone.")
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    lengths = [line.split(":")[1] for line in lines if line.lower().startswith("content-length:")]
    while lengths and len(body) < int(lengths[0]):
        body += connection.recv(65_536)
    return lines[0]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ssl.SSLContext]:
    """The bundle that knows our authority, and a server of both hosts."""
    directory = tmp_path_factory.mktemp("authority")
    now = dt.datetime.now(dt.UTC)

    def signed(
        name: str, issuer: str, key: ec.EllipticCurvePrivateKey, by: ec.EllipticCurvePrivateKey,
        extension: x509.ExtensionType,
    ) -> x509.Certificate:  # fmt: skip
        def named(text: str) -> x509.Name:
            return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

        return (
            x509.CertificateBuilder()
            .subject_name(named(name))
            .issuer_name(named(issuer))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=1))
            .add_extension(extension, critical=True)
            .sign(by, hashes.SHA256())
        )

    root, leaf = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority = x509.BasicConstraints(ca=True, path_length=0)
    names = x509.SubjectAlternativeName([x509.DNSName(GITHUB), x509.DNSName(SLACK)])
    pem = serialization.Encoding.PEM
    (directory / "ca.pem").write_bytes(signed("CA", "CA", root, root, authority).public_bytes(pem))
    (directory / "server.pem").write_bytes(
        leaf.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + signed("server", "CA", leaf, root, names).public_bytes(pem)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(directory / "server.pem")
    return directory / "ca.pem", context


@pytest.fixture
def proxy(
    authority: tuple[Path, ssl.SSLContext], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Proxy]:
    """Both variables for both files, as docs/connections.md says."""
    for name in (*VARIABLES, *BUNDLES):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    made = Proxy(authority[1])
    monkeypatch.setenv("HTTPS_PROXY", made.url)
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(authority[0]))
    monkeypatch.setenv("SSL_CERT_FILE", str(authority[0]))
    yield made
    made.close()


def github_client(host: str = GITHUB) -> GithubClient:
    credentials = Credentials(auth=lambda: Auth.Token("t"), refused=lambda _auth: None)
    return GithubClient(credentials, api_url=f"https://{host}/api/v3", timeout_s=5)


def read_github(_redis: redis_client.Redis) -> None:
    with github_client() as client:
        assert client.get("/app")["id"] == 1


def write_github(_redis: redis_client.Redis) -> None:
    with github_client() as client:
        assert client.post("/repositories/1/check-runs", {"name": "x"})["id"] == 1


def download_github(_redis: redis_client.Redis) -> None:
    into = io.BytesIO()
    with github_client() as client:
        client.download("/repositories/1/tarball/main", into, 1_000)
    assert into.getvalue() == ANSWER


def slack_access(redis: redis_client.Redis, host: str = SLACK) -> SlackAccess:
    slack = settings("redis://127.0.0.1/0", SLACK_API_URL=f"https://{host}/api").slack
    return SlackAccess(slack, SlackInstallations(redis, SecretsBox(["k" * 40], "t")), lambda: 0.0)


def call_slack(redis: redis_client.Redis) -> None:
    assert slack_access(redis).learn_here().team_id == "T1"


def answer_slack(redis: redis_client.Redis) -> None:
    speaker = SlackSpeaker(slack_access(redis).client("T1"), EffectLedger(redis), team="T1")
    speaker.respond(f"https://{SLACK}/commands/T1/1/x", "text", key="k")


def open_view_in_slack(_redis: redis_client.Redis) -> None:
    clicked = {"trigger_id": "1", "actions": [{"action_id": "convention.add"}]}
    assert open_loading("xoxb-1", f"https://{SLACK}/api", clicked) == ("V1", "h")


CLIENTS = [read_github, write_github, download_github, call_slack, answer_slack, open_view_in_slack]
Client = Callable[[redis_client.Redis], None]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_goes_through_the_proxy_and_trusts_the_bundle(
    client: Client, proxy: Proxy, redis: redis_client.Redis
) -> None:
    client(redis)
    host = GITHUB if "github" in client.__name__ else SLACK
    assert proxy.hosts == [f"{host}:443"]
    assert len(proxy.requests) == 1


@pytest.mark.parametrize("client", CLIENTS[:-1])
def test_a_certificate_of_an_unknown_authority_is_refused(
    client: Client, proxy: Proxy, redis: redis_client.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody "helps" by not verifying: the token would go to whoever answers."""
    for name in BUNDLES:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(Transient, match=r"did not answer|did not send"):
        client(redis)
    assert proxy.hosts
    assert proxy.requests == []


@pytest.mark.parametrize("is_direct", [True, False])
def test_no_proxy_names_the_hosts_that_are_reached_directly(
    proxy: Proxy, redis: redis_client.Redis, monkeypatch: pytest.MonkeyPatch, is_direct: bool
) -> None:
    host = f"localhost:{free_port()}"
    if is_direct:
        monkeypatch.setenv("NO_PROXY", "localhost")
    with pytest.raises(Transient), github_client(host) as client:
        client.get("/app")
    with pytest.raises(Transient):
        slack_access(redis, host).learn_here()
    assert set(proxy.hosts) == (set() if is_direct else {host})
