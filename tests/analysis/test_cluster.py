"""A cluster on this machine: the same counts as threads, whatever happens to its workers."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from schmier_sim.analysis import cluster
from schmier_sim.analysis import run as runs
from schmier_sim.analysis.run import simulate
from schmier_sim.kernel.simulate import Setup
from tests.cli.program import Outcome, in_process, refused

SETUP = Setup(seed=3, bots="simple")
DEALS = 400_000


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A scheduler and two workers on the loopback interface; a worker that dies is started again by its nanny."""
    pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("cluster")
    dask = [sys.executable, "-m", "dask"]
    settings = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    place = folder / "scheduler.json"
    started = [
        subprocess.Popen(
            [
                *dask,
                "scheduler",
                "--host=127.0.0.1",
                "--port=0",
                "--no-dashboard",
                f"--scheduler-file={place}",
            ],
            **settings,
        )
    ]
    started += [
        subprocess.Popen(
            [
                *dask,
                "worker",
                f"--scheduler-file={place}",
                "--nthreads=1",
                "--no-dashboard",
                "--host=127.0.0.1",
                f"--local-directory={folder}",
            ],
            **settings,
        )
        for _ in range(2)
    ]
    try:
        yield address_in(place)
    finally:
        for process in started:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def address_in(place: Path) -> str:
    latest = time.monotonic() + 60
    while not place.exists():
        assert time.monotonic() < latest
        time.sleep(0.05)
    return str(json.loads(place.read_text())["address"])


def workers_of(address: str) -> dict[str, int]:
    """Process ids of the workers that are there now."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return client.run(os.getpid)


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_plays_the_same_though_a_worker_is_killed(monkeypatch, address):
    monkeypatch.setattr(runs, "CHUNK", 5000)
    killed = []

    def kill_one(state):
        if state.done > DEALS // 4 and not killed:
            killed.extend(workers_of(address).values())
            os.kill(killed[0], signal.SIGKILL)

    with cluster.connect(address) as there:
        while there.threads() < 2:
            time.sleep(0.1)
        made = simulate(SETUP, deals=DEALS, executor=there.executor, workers=there.threads, progress=kill_one)
    assert len(killed) == 2
    assert made.info.complete
    assert made.tally == simulate(SETUP, deals=DEALS).tally
    assert killed[0] not in workers_of(address).values()


def test_the_command_plays_on_a_cluster(tmp_path, address):
    common = ("simulate", "-n", 50_000, "--seed", 3, "--bots", "simple", "-o")
    there = in_process(*common, tmp_path / "there.parquet", "--scheduler", address)
    assert (there.code, there.out) == (0, f"{tmp_path / 'there.parquet'}\n")
    assert f"threads of {address}" in there.err
    assert "distributed" not in there.err
    assert in_process(*common, tmp_path / "here.parquet").code == 0
    tables = [
        in_process("table", tmp_path / name, "--by", "pattern,seat", "--min-deals", 0, "--format", "json")
        for name in ("there.parquet", "here.parquet")
    ]
    assert tables[0] == tables[1]


def test_a_scheduler_that_does_not_answer_is_refused(tmp_path):
    pytest.importorskip("distributed")
    code = (
        "from schmier_sim.analysis import cluster; cluster.PATIENCE = 0.3\nfrom schmier_sim.cli import main\n"
    )
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{unused.getsockname()[1]}"
        code += f"sys.exit(main(['simulate', '-n', '100', '-o', 'a.parquet', '--scheduler', '{address}']))"
        refused(python(code, tmp_path), 1, address, "dask scheduler")
    assert list(tmp_path.iterdir()) == []


@contextlib.contextmanager
def listening(greeting):
    """An address where somebody takes connections, says something or nothing, and waits."""
    kept = []

    def answer():
        with contextlib.suppress(OSError):
            while True:
                kept.append(server.accept()[0])
                kept[-1].sendall(greeting)

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=answer, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
    for connection in kept:
        connection.close()


@pytest.mark.parametrize(
    ("greeting", "message"),
    [
        (b"", "no scheduler answers at"),
        (b"\0\0\0", "is no dask scheduler"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "is no dask scheduler"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "is no dask scheduler"),
    ],
)
def test_who_is_no_scheduler_is_not_waited_for(monkeypatch, greeting, message):
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "PATIENCE", 0.3)
    with (
        listening(greeting) as address,
        pytest.raises(cluster.ClusterError, match=message),
        cluster.connect(address),
    ):
        pass


def test_a_scheduler_that_stops_is_not_waited_for(monkeypatch, tmp_path):
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "RECOUNT", 0.0)
    place = tmp_path / "scheduler.json"
    command = ["scheduler", "--host=127.0.0.1", "--port=0", "--no-dashboard", f"--scheduler-file={place}"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-m", "dask", *command], **quiet) as scheduler:
        try:
            with cluster.connect(address_in(place)) as there:
                assert there.threads() == 0
                monkeypatch.setattr(cluster, "PATIENCE", 0.5)
                scheduler.send_signal(signal.SIGSTOP)
                with pytest.raises(cluster.ClusterError, match=r"^the scheduler is gone$"):
                    there.threads()
        finally:
            scheduler.kill()


def python(code: str, folder: Path) -> Outcome:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}"], cwd=folder, capture_output=True, text=True, timeout=120
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def test_without_dask_only_the_scheduler_is_refused(tmp_path):
    blocked = "sys.modules['distributed'] = sys.modules['dask'] = None\nfrom schmier_sim.cli import main\n"
    arguments = ["simulate", "-n", "100", "-o", "a.parquet"]
    with_scheduler = [*arguments, "--scheduler", "tcp://127.0.0.1:8786"]
    refused(
        python(f"{blocked}sys.exit(main({with_scheduler}))", tmp_path), 1, "pip install 'schmier-sim[dask]'"
    )
    assert list(tmp_path.iterdir()) == []
    assert python(f"{blocked}sys.exit(main({arguments}))", tmp_path).code == 0


def test_no_module_but_one_imports_dask(tmp_path):
    code = """
import importlib, pkgutil, schmier_sim
for module in pkgutil.walk_packages(schmier_sim.__path__, "schmier_sim."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
sys.exit(int("distributed" in sys.modules or "dask" in sys.modules))
"""
    assert python(code, tmp_path).code == 0
