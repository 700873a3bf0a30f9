"""Files on their way in: what was uploaded, a link to an earlier result, a file of the session, the
bytes in a message, or a path (by stdio, in folders that were allowed)."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from starlette.concurrency import run_in_threadpool

from controlllm.api.door import Uploads
from controlllm.api.service import Service
from controlllm.api.tokens import Token
from controlllm.core.session import Session, handle_of
from controlllm.resources import FILE_TYPES, BadInput, Limits, Resource
from controlllm.store.handed_over import set_type

_LINK = re.compile(r"controlllm://files/([0-9a-f]{16})/([^/]{1,1000})")
_LONGEST_NAME = 300
_ORDINARY = ("image", "audio", "video")


@dataclass(frozen=True)
class Taking:
    """How files are taken in.

    Parameters
    ----------
    folders: where paths may lead, with all their folders; none where paths are not taken.
    out: where results are copied to as well, where that is wished.
    uploads: who has uploaded what.
    """

    service: Service
    folders: tuple[Path, ...] = ()
    out: Path | None = None
    uploads: Uploads = field(default_factory=Uploads)

    async def take(self, token: Token, session: Session, sent: Any, kind: str = "") -> str:
        """Take a file that was sent into a conversation, as a special kind of picture where one is
        named; its name there.

        Raises BadInput, in a sentence, where it cannot be taken.
        """
        if kind and kind not in FILE_TYPES:
            known = ", ".join(sorted(FILE_TYPES))
            raise BadInput(f"A file cannot be sent as {kind[:60]!r}; these can: {known}.")
        special = "" if kind in _ORDINARY else kind
        if isinstance(sent, str):
            link = _LINK.fullmatch(sent)
            if link:
                return await run_in_threadpool(self._linked, token, session, link, kind)
            if not self.folders and any(sent == item.value for item in session.resources):
                if special:
                    store = self.service.assistant.store
                    await run_in_threadpool(set_type, store, session.id, sent, special)
                return sent
            path = await run_in_threadpool(self._allowed, sent)
            return await self._added(token, session, path, path.name, special)
        if isinstance(sent, dict) and set(sent) <= {"name", "data"} and "data" in sent:
            name, content = _named(sent.get("name", "file")), _decoded(sent["data"])
            with self.service.assistant.store.work_folder() as folder:
                path = Path(folder) / "upload"
                await run_in_threadpool(path.write_bytes, content)
                return await self._added(token, session, path, name, special)
        if isinstance(sent, dict) and isinstance(sent.get("path"), str):
            path = await run_in_threadpool(self._uploaded, token, sent["path"])
            name = _named(sent.get("orig_name") or path.name)
            return await self._added(token, session, path, name, special)
        raise BadInput(
            "A file has to be a link that an earlier result gave (controlllm://…)"
            + (", a path in a folder that was allowed," if self.folders else "")
            + ' or an object: {"name": "photo.png", "data": "its bytes in base64"}.'
        )

    async def _added(
        self, token: Token, session: Session, path: Path, name: str, special: str
    ) -> str:
        resource, _ = await self.service.add_file(token, session.id, path, name, special)
        return resource.value

    def _uploaded(self, token: Token, sent: str) -> Path:
        if not self.uploads.is_of(sent, token):
            raise BadInput("This file was not uploaded with your token. Upload it first.")
        path = Path(sent)
        if not path.is_file():
            raise BadInput("What was uploaded is not here any more. Upload it again.")
        if path.stat().st_size > Limits().max_bytes:
            raise BadInput(f"{path.name} is larger than {Limits().max_bytes // 1_000_000} MB.")
        return path

    def _allowed(self, sent: str) -> Path:
        """The file of a path; it has to lie, links followed, in one of the folders."""
        if not self.folders:
            raise BadInput(
                f"There is no file {sent[:200]!r} in this session, and paths are not taken. Send "
                "the file itself, or its bytes in base64."
            )
        try:
            asked = Path(sent).expanduser()
            found = [
                path
                for folder in self.folders
                if (path := (folder / asked).resolve()).is_relative_to(folder) and path.is_file()
            ]
        except (OSError, RuntimeError, ValueError):
            found = []
        if not found:
            allowed = " or ".join(map(str, self.folders))
            raise BadInput(f"There is no file {sent[:200]} in {allowed}.")
        if found[0].stat().st_size > Limits().max_bytes:
            raise BadInput(f"{sent[:200]} is larger than {Limits().max_bytes // 1_000_000} MB.")
        return found[0]

    def _linked(self, token: Token, session: Session, link: re.Match[str], kind: str) -> str:
        """Have a result of another conversation in this one too."""
        other, resource = self.find(token, link)
        if other.id == session.id:
            return resource.value
        if kind and kind != resource.type and resource.type == "image":
            resource = replace(resource, type=kind)
        return self.service.assistant.store.add(session.id, resource).value

    def find(self, token: Token, link: re.Match[str]) -> tuple[Session, Resource]:
        """What a link leads to; raises BadInput where that is not there, or not the token's."""
        try:
            session = self.service.session(token, link[1])
            return session, session.resource(unquote(link[2]))
        except KeyError:
            raise BadInput("There is no such file, or not any more.") from None


def names_of(sent: Any) -> tuple[str, ...]:
    """What a plan may call a file by that was sent: as it was sent, and its name."""
    if isinstance(sent, str):
        link = _LINK.fullmatch(sent)
        return (sent, unquote(link[2]) if link else Path(sent).name)
    name = sent.get("orig_name", sent.get("name", "file")) if isinstance(sent, dict) else None
    return (name,) if isinstance(name, str) else ()


def link_to(session_id: str, resource: Resource) -> str:
    """The link by which a result can be fetched, or handed over again."""
    return f"controlllm://files/{handle_of(session_id)}/{quote(resource.value, safe='')}"


def link_of(uri: str) -> re.Match[str]:
    """The parts of a link; raises BadInput where it is none of ours."""
    found = _LINK.fullmatch(uri)
    if found is None:
        raise BadInput("This is no link to a file here.")
    return found


def _named(name: Any) -> str:
    if not isinstance(name, str) or len(name) > _LONGEST_NAME:
        raise BadInput(f"A file's name has to be a text of up to {_LONGEST_NAME} characters.")
    return name


def _decoded(given: Any) -> bytes:
    if not isinstance(given, str):
        raise BadInput("The bytes of a file have to come in base64.")
    words = given.partition(",")[2] if given.startswith("data:") else given
    try:
        return base64.b64decode("".join(words.split()), validate=True)
    except (binascii.Error, ValueError):
        raise BadInput("This is no base64.") from None
