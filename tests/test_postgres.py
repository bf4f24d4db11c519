"""Databases for tests are empty, thrown away, and to be had where no server runs."""

import socket

import psycopg
import pytest

from tests.postgres import Server, postgres_server


@pytest.mark.postgres
def test_database_is_empty_and_is_dropped_with_whoever_is_still_connected(postgres: Server) -> None:
    with postgres.fresh_database() as url:
        connection = psycopg.connect(url.replace("+psycopg", ""))
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchall()
        name = connection.info.dbname
    connection.close()
    with psycopg.connect(postgres.dsn()) as admin:
        left = admin.execute("SELECT datname FROM pg_database WHERE datname = %s", [name]).fetchall()

    assert (tables, left) == ([(0,)], [])


@pytest.mark.postgres
def test_server_is_started_and_stopped_where_none_answers(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    monkeypatch.setattr("tests.postgres.PORT", port)

    with postgres_server() as started, psycopg.connect(started.dsn()) as connection:
        folder = connection.execute("SHOW data_directory").fetchall()

    assert started.port not in {port, postgres.port}
    assert folder[0][0].endswith("/data")
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(started.dsn(), connect_timeout=3)
