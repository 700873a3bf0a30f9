"""Servers for the tests of what several programs share; started once, when first needed."""

from __future__ import annotations

import pytest

from tests.store.servers import BucketServer, PostgresServer, have_bucket, have_postgres

MISSING = "this needs pip install --group dev on a system that its servers run on"


@pytest.fixture(scope="session")
def postgres():
    if not have_postgres():
        pytest.skip(MISSING)
    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture(scope="session")
def bucket_server():
    if not have_bucket():
        pytest.skip(MISSING)
    server = BucketServer()
    yield server
    server.close()
