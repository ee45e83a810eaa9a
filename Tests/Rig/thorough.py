"""What a usual run leaves out and `tools/check --thorough` has. Of each behaviour every run tests the cases that differ most, so
that it stays short enough to be run for each change."""

import os

import pytest

# The rest of the tests and of their variations are to run, too.
IS_ASKED = bool(os.environ.get("VITRINE_THOROUGH"))


def also(*cases):
    """More cases for pytest.mark.parametrize, behind those of each run."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.thorough) for case in cases]
