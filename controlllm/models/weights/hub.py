"""The model hub as a source of weights: what a repository holds, and its files.

Only files that hold data are fetched, never code and never a pickle, which would run code when it
is read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from controlllm.models.weights import Weights
from controlllm.models.weights.receiving import (
    SECONDS_WITHOUT_AN_ANSWER,
    BrokeOff,
    DownloadFault,
    RemoteFile,
    Unreachable,
)

#: Arrays (.npy) are read without pickles, as NumPy does unless it is told otherwise.
SAFE_KINDS = frozenset(
    ".safetensors .gguf .onnx .onnx_data .json .jsonl .txt .model .spm .tiktoken .jinja .yaml .yml "
    ".md .npy".split()
)
#: Without an ending, yet plain text.
SAFE_NAMES = frozenset({"LICENSE", "LICENCE", "NOTICE"})
_WEIGHTS_KINDS = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack")


@dataclass(frozen=True)
class Snapshot:
    """A repository in one state: its commit, its licence and the files of it that are wanted."""

    weights: Weights
    commit: str
    licence: str
    files: tuple[RemoteFile, ...]

    @contextmanager
    def begin(self, file: RemoteFile, headers: Mapping[str, str]) -> Iterator[Any]:
        """The answer to a request for one of the files. The library's own download begins every
        file anew."""
        from huggingface_hub import hf_hub_url
        from huggingface_hub.utils import build_hf_headers, get_session, hf_raise_for_status

        url = hf_hub_url(
            self.weights.repository, file.name, revision=self.commit, endpoint=_endpoint()
        )
        # A redirect to another host goes without the token: the session drops it there.
        with get_session().stream(
            "GET",
            url,
            headers={**build_hf_headers(), **headers},
            timeout=SECONDS_WITHOUT_AN_ANSWER,
        ) as response:
            if response.status_code >= 400:
                response.read()
            hf_raise_for_status(response)
            yield response


def snapshot(weights: Weights) -> Snapshot:
    """Ask the hub what a repository holds. Raises DownloadFault, or what the library raises."""
    from huggingface_hub import HfApi

    found = HfApi(endpoint=_endpoint()).model_info(
        weights.repository,
        revision=weights.revision,
        files_metadata=True,
        timeout=SECONDS_WITHOUT_AN_ANSWER,
    )
    if not found.sha:
        raise DownloadFault(f"The model hub does not say which state {weights.repository} is in.")
    items = found.siblings or ()
    wanted = chosen_files(weights, [item.rfilename for item in items])
    return Snapshot(
        weights,
        found.sha,
        str(getattr(found.card_data, "license", None) or weights.licence),
        tuple(_remote_file(item) for item in items if item.rfilename in wanted),
    )


def chosen_files(weights: Weights, names: Sequence[str]) -> set[str]:
    """Which of a repository's files are fetched: those that are asked for, of a safe kind.

    Raises DownloadFault where that leaves nothing, or where a name would leave the folder.
    """
    from huggingface_hub.utils import filter_repo_objects

    asked = set(filter_repo_objects(names, allow_patterns=list(weights.files) or None))
    for name in asked:
        parts = PurePosixPath(name).parts
        if name.startswith("/") or ".." in parts or "\\" in name or ":" in name:
            raise DownloadFault(f"{weights.repository} has a file with a wrong name ({name!r}).")
    safe = {
        name
        for name in asked
        if PurePosixPath(name).suffix.lower() in SAFE_KINDS
        or PurePosixPath(name).name in SAFE_NAMES
    }
    holds_weights = any(PurePosixPath(name).suffix in (".safetensors", ".gguf") for name in safe)
    refused = sorted(name for name in asked - safe if name.lower().endswith(_WEIGHTS_KINDS))
    if refused and not holds_weights:
        raise DownloadFault(
            f"{weights.repository} has its weights only in a kind of file that could run code "
            f"({refused[0]}); those are not fetched."
        )
    if not safe:
        raise DownloadFault(f"{weights.repository} has none of the files that are needed.")
    return safe


def _remote_file(item: Any) -> RemoteFile:
    sha256 = item.lfs.sha256 if item.lfs is not None else ""
    size = item.lfs.size if item.lfs is not None else item.size
    if size is None:
        raise DownloadFault(f"The model hub does not say how large {item.rfilename} is.")
    return RemoteFile(item.rfilename, int(size), sha256 or "", item.blob_id or "")


def _endpoint() -> str | None:
    return os.environ.get("HF_ENDPOINT", "").rstrip("/") or None


@contextmanager
def faults_in_words(weights: Weights) -> Iterator[None]:
    """What the hub or the way to it refuses, as a DownloadFault."""
    import httpx2
    from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled

    name = weights.repository
    host = _endpoint() or "https://huggingface.co"
    try:
        yield
    except HfHubHTTPError as error:
        raise DownloadFault(_refusal_in_words(weights, error, host)) from error
    except (httpx2.TransportError, BrokeOff) as error:
        raise Unreachable(
            f"The model hub {host} could not be reached, or the connection broke off. Look at the "
            f"network and pull {name} again; it goes on where it stopped."
        ) from error
    except OfflineModeIsEnabled as error:
        raise DownloadFault(
            "The libraries here were started without the network (HF_HUB_OFFLINE). Pull with "
            f"`python -m controlllm models pull {name}`."
        ) from error


def _refusal_in_words(weights: Weights, error: Any, host: str) -> str:
    from huggingface_hub.errors import (
        DisabledRepoError,
        GatedRepoError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    name, status = weights.repository, error.response.status_code
    said = error.response.headers.get("X-Error-Message", "")
    if isinstance(error, GatedRepoError):
        return (
            f"{name} is given only to people who accepted its conditions. Accept them at "
            f"{host}/{name}, then set HF_TOKEN to a token of your account and pull again."
        )
    if isinstance(error, DisabledRepoError):
        return f"The model hub does not give {name} to anyone any more."
    if isinstance(error, RevisionNotFoundError):
        return f"{name} has no revision {weights.revision!r}."
    if "Invalid credentials" in said:
        return "The model hub does not know the token in HF_TOKEN. Set a valid one, or none."
    if isinstance(error, RepositoryNotFoundError) or status in (401, 404):
        return (
            f"The model hub has no repository {name}, or not for everyone; where it needs an "
            "account, set HF_TOKEN to a token of yours."
        )
    if status == 403:
        return (
            f"The model hub does not give {name} to this account: {said or 'it does not say why'}."
        )
    if status == 429:
        return "The model hub is asked too often from here. Wait some minutes and pull again."
    return f"The model hub answered {name} with the fault {status}. {said or 'Try again later.'}"
