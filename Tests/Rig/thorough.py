"""The tests that only `tools/check --thorough` runs. Every run tests the most different cases of each behaviour, so
that it stays short enough to be run for each change."""

import os

import pytest

# The rest of the tests and of their variations are to run, too.
IS_ASKED = bool(os.environ.get("VITRINE_THOROUGH"))


def also(*cases):
    """More cases for pytest.mark.parametrize, behind those of each run."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.thorough) for case in cases]


def few(cases, *usual):
    """For pytest.mark.parametrize: the usual ones of many cases in each run, the others behind them."""
    return [*usual, *also(*(case for case in cases if case not in usual))]
