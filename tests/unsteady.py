"""A test of the page that fails is run once more, alone; what passes then is named at the end.

A real browser on a busy machine fails now and then for reasons of its own. The run shall not fail
for that, but nobody shall overlook it either, so the summary names these tests and shows how each
failed. Only tests marked ``browser`` get a second run. All that was set up in the process is taken
down before it, servers that tests share too, so that it starts from nothing.
"""

from __future__ import annotations

import contextlib

import pytest
from _pytest.runner import runtestprotocol

#: The property of a report that says how its test failed before it passed alone. Properties travel
#: from the process that runs a test to the one that prints the summary.
UNSTEADY = "unsteady"

#: The reports of a test's second run; there from when it begins.
_second = pytest.StashKey[list[pytest.TestReport]]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test of the page, and once more where it fails; only the last run is reported."""
    if item.get_closest_marker("browser") is None:
        return None
    if _second in item.stash:
        item.stash[_second] = runtestprotocol(item, nextitem=nextitem, log=False)
        return True
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    failures = [report for report in reports if report.failed]
    if failures:
        # What else goes wrong while all is taken down belongs to the failure that there is already.
        with contextlib.suppress(Exception):
            item.session._setupstate.teardown_exact(None)
        item.stash[_second] = []
        # By the hook, so that what surrounds a test, such as its time limit, begins anew.
        item.ihook.pytest_runtest_protocol(item=item, nextitem=nextitem)
        reports = item.stash[_second]
        if all(report.passed for report in reports):
            reports[-1].user_properties.append((UNSTEADY, failures[0].longreprtext))
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


class Summary:
    """Gathers what the reports say, and tells it when all is done."""

    def __init__(self) -> None:
        self.failures: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, words in report.user_properties:
            if name == UNSTEADY:
                self.failures[report.nodeid] = str(words)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.failures:
            return
        terminalreporter.section("unsteady tests")
        for name, words in self.failures.items():
            terminalreporter.write_line(f"{name} failed first with:")
            terminalreporter.write_line(words)
        names = ", ".join(self.failures)
        terminalreporter.write_line(f"unsteady: failed once, passed alone: {names}", yellow=True)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Summary(), "unsteady-summary")
