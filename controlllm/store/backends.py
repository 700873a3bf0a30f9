"""Where a store keeps what it keeps: in a folder, or on servers that several programs share."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from controlllm.settings.environment import number
from controlllm.store.bucket_files import VARIABLE as FILES
from controlllm.store.bucket_files import Bucket, BucketFiles
from controlllm.store.database import Database, Presence
from controlllm.store.files import FileFolder
from controlllm.store.interfaces import AnyDatabase, AnyPresence
from controlllm.store.postgres import VARIABLE as DATABASE
from controlllm.store.postgres import Leases, PostgresDatabase


@dataclass(frozen=True)
class Backends:
    """The choice of a database and of a place for files; empty addresses mean the folder.

    Parameters
    ----------
    database_address: of a PostgreSQL database, like ``postgresql://user:password@host/database``.
    files_address: of a bucket of object storage, like ``s3://bucket/prefix``.
    cache_bytes: how much of the bucket's files a machine keeps in its folder.
    environment: the bucket's endpoint and keys, see `Bucket`.
    """

    database_address: str = ""
    files_address: str = ""
    cache_bytes: float = 10e9
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Backends:
        """What ``CONTROLLLM_DATABASE`` and ``CONTROLLLM_FILES`` say.

        Raises ValueError, with a sentence, where that is no choice.
        """
        database, files = (environment.get(name, "").strip() for name in (DATABASE, FILES))
        if database and not database.startswith(("postgresql://", "postgres://")):
            raise ValueError(
                f"{DATABASE} has to be the address of a PostgreSQL database, like "
                "postgresql://user:password@host:5432/database."
            )
        if files and not files.startswith("s3://"):
            raise ValueError(f"{FILES} has to be the address of a bucket, like s3://bucket/prefix.")
        cached = number(environment, "CONTROLLLM_CACHE_GIGABYTES", 10e9, 1e9)
        return cls(database, files, cached, environment)

    def files(self, folder: Path) -> FileFolder:
        """The files, with `folder` for what lies on this machine."""
        if self.files_address:
            bucket = Bucket(self.files_address, self.environment)
            return BucketFiles(folder, bucket=bucket, most_bytes=self.cache_bytes)
        # What the folder's own database notes and what another does must not be mixed up: what is
        # not noted is removed.
        return FileFolder(folder, "shared" if self.database_address else "files")

    def database(self, folder: Path) -> tuple[AnyDatabase, AnyPresence]:
        """The database, and which programs are alive that use it."""
        if self.database_address:
            database = PostgresDatabase(self.database_address)
            return database, Leases(database)
        return Database(folder / "sessions.sqlite"), Presence(folder / "programs")


#: Everything in the folder.
FOLDER = Backends()
