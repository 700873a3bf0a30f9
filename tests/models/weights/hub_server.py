"""A model hub on this machine: the part of Hugging Face's HTTP protocol that a download uses.

Two servers, as there: the hub describes repositories and sends on, another host holds the large
files. Each can be made to fail in the ways that networks and hubs do.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from tests.models.weights.sending import Handler, Source, listening


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


class Hub(Source):
    """What the hub holds, how it is to fail, and what was asked of it."""

    def __init__(self) -> None:
        super().__init__()
        self.repositories: dict[str, Repository] = {}
        self.token = "hf_right"
        #: Statuses with which the next requests for content are answered.
        self.faults: list[int] = []
        self.ranges = True
        #: Every request line.
        self.requests: list[str] = []
        self.tokens_on_other_host: list[str] = []
        self.other_address = ""

    def asked(self, part: str) -> int:
        """How many requests had this in their line."""
        return sum(part in line for line in self.requests)


class _Hub(Handler):
    source: Hub

    @property
    def _authorised(self) -> bool:
        return self.headers.get("authorization") == f"Bearer {self.source.token}"

    def do_GET(self) -> None:
        hub = self.source
        hub.requests.append(f"{self.command} {self.path} {self.headers.get('Range', '')}")
        if self.headers.get("authorization") and not self._authorised:
            return self._refuse(401, "", "Invalid credentials in Authorization header")
        path = urlsplit(self.path).path
        if path.startswith("/api/models/"):
            # A revision may hold slashes, which are written as %2F.
            owner, name, *rest = map(unquote, path.removeprefix("/api/models/").split("/"))
            return self._describe(f"{owner}/{name}", rest)
        path = unquote(path)
        if path.startswith("/api/resolve-cache/models/"):
            owner, name, _, file = path.removeprefix("/api/resolve-cache/models/").split("/", 3)
            content = hub.repositories[f"{owner}/{name}"].files[file]
            return self._content(file, content, git_number(content))
        owner, name, verb, revision, file = path.lstrip("/").split("/", 4)
        assert verb == "resolve"
        return self._resolve(f"{owner}/{name}", revision, file)

    def _describe(self, name: str, rest: list[str]) -> None:
        repository = self.source.repositories.get(name)
        if repository is None:
            return self._no_repository()
        if rest and rest[1] not in ("main", "refs/pr/1", repository.commit):
            return self._refuse(404, "RevisionNotFound", f"Invalid rev id: {rest[1]}")
        return self.answer(200, "application/json", json.dumps(repository.described(name)).encode())

    def _resolve(self, name: str, revision: str, file: str) -> None:
        repository = self.source.repositories.get(name)
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
            headers |= {"X-Linked-Size": str(len(content)), "X-Linked-ETag": f'"{sha256}"'}
            place = f"{self.source.other_address}/{name}/{file}?X-Amz-Signature=1"
        else:
            headers["ETag"] = f'"{git_number(content)}"'
            place = f"/api/resolve-cache/models/{name}/{revision}/{file}"
        status = 302 if file in repository.large else 307
        return self.head(status, {**headers, "Location": place, "Content-Length": "0"})

    def _no_repository(self) -> None:
        if self._authorised:
            return self._refuse(404, "RepoNotFound", "Repository not found")
        # Who is not known is not told whether there is such a repository.
        return self._refuse(401, "", "Invalid username or password.")

    def _content(self, name: str, content: bytes, etag: str) -> None:
        if self.command != "HEAD" and self.source.faults:
            return self._refuse(self.source.faults.pop(0), "", "Something is wrong here")
        return self.send(name, content, {"ETag": f'"{etag}"'}, self.source.ranges)

    def _refuse(self, status: int, code: str, message: str) -> None:
        body = json.dumps({"error": message}).encode()
        told = {"X_Error_Message": message} | ({"X_Error_Code": code} if code else {})
        self.answer(status, "application/json", body, **told)


class _OtherHost(_Hub):
    """Holds the large files; knows nobody and gives them to whoever has a signed address."""

    def do_GET(self) -> None:
        hub = self.source
        hub.requests.append(f"{self.command} {self.path} {self.headers.get('Range', '')}")
        if token := self.headers.get("authorization"):
            hub.tokens_on_other_host.append(token)
        owner, name, file = unquote(urlsplit(self.path).path).lstrip("/").split("/", 2)
        repository = hub.repositories[f"{owner}/{name}"]
        content = repository.sent_instead.get(file, repository.files[file])
        self._content(file, content, hashlib.sha256(content).hexdigest())


@contextmanager
def running_hub() -> Iterator[Hub]:
    """A hub that listens on this machine until the block ends."""
    hub = Hub()
    with listening(hub, _Hub, _OtherHost) as (hub.address, hub.other_address):
        yield hub
