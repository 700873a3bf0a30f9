"""A model hub on this machine: the part of Hugging Face's HTTP protocol that a download uses.

Two servers, as there: the hub describes repositories and sends on, another host holds the large
files. Each can be made to fail in the ways that networks and hubs do.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

PIECE = 16_384


def git_number(content: bytes) -> str:
    """What Git calls a file of this content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@dataclass
class Repository:
    """A repository's files by their names; the `large` ones lie on the other host."""

    files: dict[str, bytes]
    large: frozenset[str] = frozenset()
    licence: str = "apache-2.0"
    gated: bool = False
    #: A large file as it is really sent, where that is not what was promised.
    sent_instead: dict[str, bytes] = field(default_factory=dict)

    @property
    def commit(self) -> str:
        content = b"".join(name.encode() + data for name, data in sorted(self.files.items()))
        return hashlib.sha1(content).hexdigest()

    def described(self, name: str) -> dict[str, object]:
        """As ``/api/models/NAME/revision/...?blobs=true`` answers."""
        siblings: list[dict[str, object]] = []
        for path, content in self.files.items():
            entry: dict[str, object] = {"rfilename": path, "size": len(content)}
            if path in self.large:
                sha256 = hashlib.sha256(content).hexdigest()
                entry["lfs"] = {"sha256": sha256, "size": len(content), "pointerSize": 134}
                entry["blobId"] = git_number(f"oid sha256:{sha256}".encode())
            else:
                entry["blobId"] = git_number(content)
            siblings.append(entry)
        return {
            "_id": "6" * 24,
            "id": name,
            "modelId": name,
            "sha": self.commit,
            "private": False,
            "gated": "manual" if self.gated else False,
            "disabled": False,
            "downloads": 1,
            "likes": 1,
            "tags": [f"license:{self.licence}"],
            "cardData": {"license": self.licence},
            "createdAt": "2026-01-01T00:00:00.000Z",
            "lastModified": "2026-01-01T00:00:00.000Z",
            "siblings": siblings,
        }


class Hub:
    """What the hub holds, how it is to fail, and what was asked of it."""

    def __init__(self) -> None:
        self.repositories: dict[str, Repository] = {}
        self.token = "hf_right"
        #: After so many bytes the next answers with content break off; each cut is used once.
        self.cuts: list[int] = []
        #: Statuses with which the next requests for content are answered.
        self.faults: list[int] = []
        self.ranges = True
        #: After so many bytes of a file it sends a byte now and then, so that a download of more
        #: is certainly at work for as long as this is set.
        self.slow_after: int | None = None
        #: Bytes of content sent, by the file's name, and every request line.
        self.sent: Counter[str] = Counter()
        self.requests: list[str] = []
        self.tokens_on_other_host: list[str] = []
        self.address = ""
        self.other_address = ""

    def asked(self, part: str) -> int:
        """How many requests had this in their line."""
        return sum(part in line for line in self.requests)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._serve(with_content=False)

    def do_GET(self) -> None:
        self._serve(with_content=True)

    @property
    def _authorised(self) -> bool:
        return self.headers.get("authorization") == f"Bearer {self.hub.token}"

    def _serve(self, *, with_content: bool) -> None:
        self.hub.requests.append(f"{self.command} {self.path} {self.headers.get('Range', '')}")
        token = self.headers.get("authorization")
        if token and token != f"Bearer {self.hub.token}":
            return self._refuse(401, "", "Invalid credentials in Authorization header")
        path = urlsplit(self.path).path
        if path.startswith("/api/models/"):
            # A revision may hold slashes, which are written as %2F.
            owner, name, *rest = map(unquote, path.removeprefix("/api/models/").split("/"))
            return self._describe(f"{owner}/{name}", rest)
        path = unquote(path)
        if path.startswith("/api/resolve-cache/models/"):
            owner, name, _, file = path.removeprefix("/api/resolve-cache/models/").split("/", 3)
            content = self.hub.repositories[f"{owner}/{name}"].files[file]
            return self._send(file, content, git_number(content), with_content)
        owner, name, verb, revision, file = path.lstrip("/").split("/", 4)
        assert verb == "resolve"
        return self._resolve(f"{owner}/{name}", revision, file)

    def _describe(self, name: str, rest: list[str]) -> None:
        repository = self.hub.repositories.get(name)
        if repository is None:
            return self._no_repository()
        if rest and rest[1] not in ("main", "refs/pr/1", repository.commit):
            return self._refuse(404, "RevisionNotFound", f"Invalid rev id: {rest[1]}")
        body = json.dumps(repository.described(name)).encode()
        self._head(200, {"Content-Type": "application/json", "Content-Length": str(len(body))})
        self.wfile.write(body)
        return None

    def _resolve(self, name: str, revision: str, file: str) -> None:
        repository = self.hub.repositories.get(name)
        if repository is None:
            return self._no_repository()
        if repository.gated and not self._authorised:
            return self._refuse(401, "GatedRepo", f"Access to model {name} is restricted.")
        content = repository.files.get(file)
        if content is None:
            return self._refuse(404, "EntryNotFound", "Entry not found")
        headers = {"X-Repo-Commit": repository.commit, "Accept-Ranges": "bytes"}
        if file in repository.large:
            sha256 = hashlib.sha256(content).hexdigest()
            headers["X-Linked-Size"] = str(len(content))
            headers["X-Linked-ETag"] = f'"{sha256}"'
            headers["Location"] = f"{self.hub.other_address}/{name}/{file}?X-Amz-Signature=1"
            status = 302
        else:
            headers["ETag"] = f'"{git_number(content)}"'
            headers["Location"] = f"/api/resolve-cache/models/{name}/{revision}/{file}"
            status = 307
        self._head(status, {**headers, "Content-Length": "0"})
        return None

    def _no_repository(self) -> None:
        if self._authorised:
            return self._refuse(404, "RepoNotFound", "Repository not found")
        # Who is not known is not told whether there is such a repository.
        return self._refuse(401, "", "Invalid username or password.")

    def _send(self, name: str, content: bytes, etag: str, with_content: bool) -> None:
        if with_content and self.hub.faults:
            return self._refuse(self.hub.faults.pop(0), "", "Something is wrong here")
        start, status = 0, 200
        headers = {"ETag": f'"{etag}"', "Accept-Ranges": "bytes"}
        wanted = self.headers.get("Range", "")
        if wanted and self.hub.ranges:
            start, status = int(wanted.removeprefix("bytes=").split("-")[0]), 206
            if start >= len(content):
                return self._refuse(416, "", "Range not satisfiable")
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        headers["Content-Length"] = str(len(content) - start)
        self._head(status, headers)
        if not with_content:
            return None
        end = len(content)
        if self.hub.cuts and len(content) > PIECE:
            end = min(end, start + self.hub.cuts.pop(0))
            self.close_connection = True
        position = start
        while position < end:
            is_slow = self.hub.slow_after is not None and position >= self.hub.slow_after
            piece = content[position : min(position + (1 if is_slow else PIECE), end)]
            position += len(piece)
            try:
                self.wfile.write(piece)
            except OSError:
                self.close_connection = True
                return None
            self.hub.sent[name] += len(piece)
            if is_slow:
                time.sleep(0.05)
        return None

    def _refuse(self, status: int, code: str, message: str) -> None:
        body = json.dumps({"error": message}).encode()
        headers = {"X-Error-Message": message, "Content-Length": str(len(body))}
        self._head(status, headers | ({"X-Error-Code": code} if code else {}))
        if self.command != "HEAD":
            self.wfile.write(body)

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


class _OtherHost(_Handler):
    """Holds the large files; knows nobody and gives them to whoever has a signed address."""

    def _serve(self, *, with_content: bool) -> None:
        self.hub.requests.append(f"{self.command} {self.path} {self.headers.get('Range', '')}")
        token = self.headers.get("authorization")
        if token:
            self.hub.tokens_on_other_host.append(token)
        owner, name, file = unquote(urlsplit(self.path).path).lstrip("/").split("/", 2)
        repository = self.hub.repositories[f"{owner}/{name}"]
        content = repository.sent_instead.get(file, repository.files[file])
        self._send(file, content, hashlib.sha256(content).hexdigest(), with_content)


@contextmanager
def running_hub() -> Iterator[Hub]:
    """A hub that listens on this machine until the block ends."""
    hub = Hub()
    servers = []
    for base in (_Handler, _OtherHost):
        handler = type(f"Bound{base.__name__}", (base,), {"hub": hub})
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        servers.append(server)
    hub.address, hub.other_address = (
        f"http://127.0.0.1:{server.server_address[1]}" for server in servers
    )
    try:
        yield hub
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()
