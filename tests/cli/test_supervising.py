"""A tool that ends its process does not end the command without a word."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE, wait_until

ROOT = Path(__file__).resolve().parents[2]
#: A command whose work is told by its last word, watched as the real ones are.
PROGRAM = """
import ctypes, os, sys, threading, time
from controlllm.cli.supervising import supervised

def work():
    try:
        print("begun", os.getpid(), flush=True)
        match sys.argv[-1]:
            case "ends":
                threading.Thread(target=os._exit, args=(3,)).start()
                time.sleep(1000)
            case "crashes":
                ctypes.string_at(0)
            case "waits":
                time.sleep(1000)
            case "raises":
                raise SystemExit(5)
    except KeyboardInterrupt:
        os._exit(130)
    return int(sys.argv[-1])

sys.exit(supervised(sys.argv[1:], work))
"""


def begun(*words):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip


def ended(*words):
    program = begun(*words)
    out, error = program.communicate(timeout=PATIENCE)
    return program.returncode, out.splitlines()[1:], error


@pytest.mark.parametrize(("how", "told"), [("ends", "exit code 3"), ("crashes", "signal SIGSEGV")])
def test_what_ends_its_process_is_told_in_a_sentence(how, told):
    status, out, error = ended("ask", how)
    assert status == 1 and not out
    assert f"A tool ended the whole command in the middle of its work ({told})" in error
    status, out, _ = ended("ask", "--json", how)
    event = json.loads(out[-1])
    assert status == 1 and event["event"] == "RequestFailed" and told in event["message"]


def test_what_ends_by_itself_is_left_as_it_is():
    for words, status in (("0", 0), ("1", 1), ("2", 2), ("raises", 5)):
        assert ended("ask", words) == (status, [], "")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 128 + signal.SIGTERM)]
)
def test_a_stop_reaches_the_work(sent, status):
    program = begun("ask", "waits")
    worker = int(program.stdout.readline().split()[1])
    assert worker != program.pid
    program.send_signal(sent)
    assert program.communicate(timeout=PATIENCE)[1] == "" and program.returncode == status


def test_the_work_ends_with_who_watches_it():
    program = begun("ask", "waits")
    worker = int(program.stdout.readline().split()[1])
    program.kill()
    program.communicate(timeout=PATIENCE)

    def is_gone():
        try:
            return Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            return True

    wait_until(is_gone)
