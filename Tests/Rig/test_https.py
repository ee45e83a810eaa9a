"""Films over https, from Debian's lighttpd: the accepted certificates, and the messages about others (M10)."""

import datetime
import pathlib
import subprocess

import pytest

import servers

# The certificates that Debian's libraries trust, in one file, as update-ca-certificates makes it.
TRUSTED = pathlib.Path("/etc/ssl/certs/ca-certificates.crt")
FILM = "short.mp4"
MISSING_PLUGIN = 4
CURVE = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
ASN1_TIME = "%Y%m%d%H%M%SZ"
SIGNING = """[ca]
default_ca = signing
[signing]
database = index.txt
new_certs_dir = .
default_md = sha256
rand_serial = yes
unique_subject = no
copy_extensions = copy
policy = any
[any]
commonName = supplied
"""


class Authority:
    """A CA of the test's own."""

    def __init__(self, folder: pathlib.Path, name: str):
        self.folder, self.name = folder, name
        self._openssl("req", "-x509", *CURVE, "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.crt")

    @property
    def certificate(self) -> str:
        return (self.folder / f"{self.name}.crt").read_text()

    def signs(self, host: str, days: int = 30) -> pathlib.Path:
        """A server's certificate, with its key; expired if `days` is below 0."""
        self._openssl("req", *CURVE, "-subj", "/CN=films", "-addext", f"subjectAltName={host}", "-keyout", "server.key",
                      "-out", "server.csr")
        # "x509" has a different option for expired times in each version.
        now = datetime.datetime.now(datetime.UTC)
        begins, ends = (now + datetime.timedelta(days=day) for day in (min(days, 0) - 1, days))
        (self.folder / "index.txt").touch()
        (self.folder / "ca.cnf").write_text(SIGNING)
        self._openssl("ca", "-batch", "-config", "ca.cnf", "-cert", f"{self.name}.crt", "-keyfile", f"{self.name}.key",
                      "-startdate", f"{begins:{ASN1_TIME}}", "-enddate", f"{ends:{ASN1_TIME}}",
                      "-in", "server.csr", "-out", "server.crt", "-notext")
        both = self.folder / "server.pem"
        both.write_text("".join((self.folder / f"server.{part}").read_text() for part in ("key", "crt")))
        return both

    def _openssl(self, *words: str) -> None:
        subprocess.run(["openssl", *words], check=True, capture_output=True, cwd=self.folder)


@pytest.fixture
def trusted(tmp_path):
    """A CA that the system trusts."""
    authority, before = Authority(tmp_path, "trusted"), TRUSTED.read_text()
    TRUSTED.write_text(before + authority.certificate)
    yield authority
    TRUSTED.write_text(before)


@pytest.fixture
def serve(films, tmp_path):
    """`serve(certificate)`: a web server with the test films."""
    made = []

    def make(certificate: pathlib.Path) -> servers.WebServer:
        made.append(servers.WebServer(pathlib.Path(films(FILM).path).parent, tmp_path, certificate=certificate))
        return made[-1]

    yield make
    for server in made:
        server.stop()


def test_a_server_with_a_good_certificate(play, films, serve, trusted):
    film, server = films(FILM), serve(trusted.signs("IP:127.0.0.1"))
    program = play(server.url(FILM), "--loop")
    program.ipc.wait_for_counter("vitrine/ends", lambda count: count >= 2, timeout=30)
    assert program.reading(film).film == film.number
    assert FILM in server.requests()


@pytest.mark.parametrize(
    "host, days, words, details", [
        ("IP:127.0.0.1", 30, "Ask whoever runs it.", "nobody whom this machine trusts"),
        ("IP:127.0.0.1", -1, "Check the date here.", "the certificate's time is over or has not begun"),
        ("DNS:films.example", 30, "Check the address.", "the certificate is another host's"),
    ], ids=["stranger", "expired", "elsewhere"],
)  # fmt: skip
def test_a_server_with_another_certificate(request, play, films, serve, trusted, tmp_path, host, days, words, details):
    """No request is sent. The screen says what to check, the log has the details, and the next film plays."""
    authority = Authority(tmp_path, "stranger") if "stranger" in request.node.name else trusted
    film, server = films("silent.mp4"), serve(authority.signs(host, days))
    program = play(server.url(FILM), film, wait=False)
    words = f"short: The server is not trusted. {words}"
    program.ipc.wait_for("vitrine/message", lambda text: text == words)
    program.ipc.wait_for("path", lambda path: path == film.path)
    program.ipc.wait_for("time-pos", lambda now: now is not None and now > 0.3)
    assert program.reading(film).film == film.number
    assert f"{server.url(FILM)}: " in program.log() and details in program.log()
    assert server.requests() == []


def test_a_board_that_learns_the_date_later(play, films, serve, trusted, tmp_path):
    """A kiosk whose server is not trusted now tries again: here its certificate becomes a valid one."""
    film, server = films(FILM), serve(trusted.signs("IP:127.0.0.1", days=-1))
    settings = tmp_path / "vitrine.toml"
    settings.write_text(f'films = ["{server.url(FILM)}"]\n')
    program = play("--settings", settings, wait=False)
    words = "short: The server is not trusted. Check the date here."
    program.ipc.wait_for("vitrine/message", lambda text: text == words)
    server.stop()
    trusted.signs("IP:127.0.0.1")
    server.start()
    program.wait_until_shown(timeout=40)
    assert program.reading(film).film == film.number


def test_without_anything_that_speaks_tls(play, serve, trusted, tmp_path):
    """Debian has TLS in a package of its own, which the log names."""
    server = serve(trusted.signs("IP:127.0.0.1"))
    program = play(server.url(FILM), wait=False, environment={"GIO_MODULE_DIR": str(tmp_path)})
    assert program.wait_until_ended(20) == MISSING_PLUGIN
    assert "sudo apt install glib-networking" in program.log()
