"""What `vitrine displays` says of displays of every kind: cards made by vkms' configfs."""

import json

import pytest

from cards import CONNECTED, DISCONNECTED, plug_in


def report(play, *arguments, status: int = 0) -> dict:
    program = play.run("displays", "--json", *arguments)
    assert program.wait_until_ended(30) == status, program.log()
    return json.loads(program.log())


def text(play, *arguments, status: int = 0) -> str:
    program = play.run("displays", *arguments)
    assert program.wait_until_ended(30) == status, program.log()
    return program.log()


def connector(play, card, overlays: int) -> str:
    return plug_in(play, card, overlays=overlays, status=CONNECTED)[1]


@pytest.mark.parametrize(
    "overlays, step, film, osd",
    [
        (0, "composited", "primary", None),
        (1, "film-on-primary", "primary", "overlay"),
        (2, "own-planes", "overlay", "overlay"),
    ],
)
def test_the_planes_decide_the_step(play, card, overlays, step, film, osd):
    """The ladder, each step asked of the driver: vkms scales nothing, so `own-planes` is the best there is (S2, B3)."""
    choice = report(play, "--connector", connector(play, card, overlays))["choice"]
    assert choice["step"] == step
    assert choice["filmPlane"]["kind"] == film
    assert choice["filmPlane"]["scales"] is False
    assert choice["filmPlane"]["mustCover"] is False
    assert choice.get("osdPlane", {}).get("kind") == osd
    assert any("scales the film" in reason for reason in choice["reasons"])


def test_a_step_can_be_forced(play, card):
    choice = report(play, "--osd", "composited")["choice"]
    assert choice["step"] == "composited" and "osdPlane" not in choice
    assert any("it was asked for" in reason for reason in choice["reasons"])
    assert report(play, "--osd", "plane")["choice"]["step"] == "own-planes"
    off = report(play, "--osd", "off", "--connector", connector(play, card, 0))["choice"]
    assert off["step"] == "film-on-primary" and "osdPlane" not in off


def test_a_plane_for_the_bar_that_is_not_there_is_an_error_with_a_way_out(play, card):
    told = report(play, "--osd", "plane", "--connector", connector(play, card, 0), status=8)
    assert "no plane" in told["problem"] and "--osd composited" in told["remedy"]


def test_it_tells_who_turns_the_picture(play):
    """vkms' planes turn by all; a quarter turn is the pipeline's all the same, because kmssink keeps a picture's shape."""
    told = report(play, "--rotate", "180", "--reflect")
    assert told["choice"]["transform"] == {"rotation": 180, "isReflected": True}
    assert set(told["choice"]["filmPlane"]["rotation"]) == {"rotate-180", "reflect-x"}
    assert set(told["choice"]["osdPlane"]["rotation"]) == {"rotate-180", "reflect-x"}
    ways = {(way["rotate"], way["reflect"]): way["film"] for way in told["turning"]}
    assert len(ways) == 8
    assert ways.pop((0, False)) == "nothing"
    assert all(film == ("pipeline" if rotate % 180 else "plane") for (rotate, _), film in ways.items()), ways
    said = text(play, "--rotate", "90")
    assert "the pipeline turns the film by 90" in said
    assert "which costs nothing: 180, 0 reflected, 180 reflected" in said
    assert "one more pass over each picture: 90, 270, 90 reflected, 270 reflected" in said
    assert "step own-planes: " in said


def test_asking_changes_nothing_on_the_screen(play, console):
    before = console.planes()
    assert before
    text(play, "--rotate", "180", "--osd", "composited")
    console.wait_until_shown()
    assert console.planes() == before


def test_a_pulled_cable_is_told(play, card):
    made, name = plug_in(play, card, overlays=1, status=CONNECTED)

    def status():
        cards = report(play)["displays"]["cards"]
        return next(one["status"] for entry in cards for one in entry["connectors"] if one["name"] == name)

    assert status() == "connected"
    made.plug(DISCONNECTED)
    assert status() == "disconnected"
    told = report(play, "--connector", name, status=5)
    assert name in told["problem"] and told["remedy"]
    made.plug()
    assert status() == "connected"


@pytest.mark.parametrize("arguments", [("--rotate", "45"), ("--osd", "everywhere")])
def test_a_wish_that_makes_no_sense_is_refused(play, arguments):
    assert arguments[1] in text(play, *arguments, status=64)
