"""The evaluation of frames that reached the screen (shown_frames.py): the other tests rely on it. Needs no rig."""

import random

import pytest

from shown_frames import Recorder

COUNT = 10


def recorded(passes: list[list[int]]) -> Recorder:
    recorder = Recorder(None, 25)
    frames = [frame for one in passes for frame in one]
    recorder.shown = {at * 40_000_000: frame for at, frame in enumerate(frames)}
    return recorder


def lacking(lost: float, seed: int = 1) -> list[list[int]]:
    """Thirty passes that lack a frame here and there."""
    dice = random.Random(seed)
    return [[frame for frame in range(COUNT) if dice.random() >= lost] for _ in range(30)]


def test_whole_passes():
    recorder = recorded([list(range(COUNT))] * 5)
    assert len(recorder.complete(COUNT)) == 4
    assert "0.00 frames" in recorder.check_seams(COUNT)


@pytest.mark.parametrize("lost", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("seed", range(5))
def test_a_busy_machine_is_no_loss_at_the_seams(lost, seed):
    recorded(lacking(lost, seed)).check_seams(COUNT, edge=2)


@pytest.mark.parametrize("place", [0, 1, COUNT - 2, COUNT - 1])
@pytest.mark.parametrize("lost", [0, 0.02])
def test_a_frame_lost_at_each_seam_is_found(place, lost):
    with pytest.raises(AssertionError, match="lack at a seam"):
        recorded([[frame for frame in one if frame != place] for one in lacking(lost)]).check_seams(COUNT, edge=2)


def test_a_frame_lost_at_every_other_seam_is_found():
    passes = [[frame for frame in one if frame or at % 2] for at, one in enumerate(lacking(0))]
    with pytest.raises(AssertionError, match="lack at a seam"):
        recorded(passes).check_seams(COUNT)


def test_a_frame_that_came_twice_is_found():
    with pytest.raises(AssertionError, match="came twice"):
        recorded([[0, 0, *range(1, COUNT)]] * 3).complete(COUNT)
