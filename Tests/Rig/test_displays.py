"""The report of `vitrine displays` about displays of every kind: cards made by vkms' configfs."""

import json
import os
import subprocess

import pytest

from cards import CONNECTED, DISCONNECTED, Lender, plug_in


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
    """The ladder, with each step probed: vkms does not scale, so `own-planes` is the best possible step (S2, B3)."""
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
    reported = report(play, "--osd", "plane", "--connector", connector(play, card, 0), status=8)
    assert "no plane" in reported["problem"] and "--osd composited" in reported["remedy"]


def test_it_reports_who_turns_the_picture(play):
    """vkms' planes support all turns."""
    reported = report(play, "--rotate", "180", "--reflect")
    assert reported["choice"]["transform"] == {"rotation": 180, "isReflected": True}
    assert set(reported["choice"]["filmPlane"]["rotation"]) == {"rotate-180", "reflect-x"}
    assert set(reported["choice"]["osdPlane"]["rotation"]) == {"rotate-180", "reflect-x"}
    ways = {(way["rotate"], way["reflect"]): way["film"] for way in reported["turning"]}
    assert len(ways) == 8
    assert ways.pop((0, False)) == "nothing"
    assert set(ways.values()) == {"plane"}, ways
    said = text(play, "--rotate", "90")
    assert "turns the film by 90 (rotate-270), which costs nothing" in said
    assert "which costs nothing: 90, 180, 270, 0 reflected, 90 reflected, 180 reflected, 270 reflected" in said
    assert "step own-planes: " in said
    reported = report(play, "--rotate", "180", "--rotate-by", "pipeline")
    assert "rotation" not in reported["choice"]["filmPlane"]
    assert {way["film"] for way in reported["turning"]} == {"nothing", "pipeline"}


def test_asking_changes_nothing_on_the_screen(play, console):
    before = console.planes()
    assert before
    text(play, "--rotate", "180", "--osd", "composited")
    console.wait_until_shown()
    assert console.planes() == before


def test_a_pulled_cable_is_reported(play, card):
    made, name = plug_in(play, card, overlays=1, status=CONNECTED)

    def status():
        cards = report(play)["displays"]["cards"]
        return next(one["status"] for entry in cards for one in entry["connectors"] if one["name"] == name)

    assert status() == "connected"
    made.plug(DISCONNECTED)
    assert status() == "disconnected"
    reported = report(play, "--connector", name, status=5)
    assert name in reported["problem"] and reported["remedy"]
    made.plug()
    assert status() == "connected"


@pytest.mark.parametrize("arguments", [("--rotate", "45"), ("--osd", "everywhere")])
def test_a_request_that_makes_no_sense_is_refused(play, arguments):
    assert arguments[1] in text(play, *arguments, status=64)


def through(descriptor: int, *arguments, status: int = 0) -> dict:
    command = [os.environ["VITRINE_BIN"], "displays", "--json", "--drm-fd", str(descriptor), *arguments]
    ended = subprocess.run(command, pass_fds=[descriptor], capture_output=True, timeout=30)
    assert ended.returncode == status, ended
    return json.loads(ended.stdout)


def test_a_lease_shows_what_was_lent_and_nothing_else(play, card):
    """A compositor can lend a connector: its other planes and cards are not visible; after it is revoked, it is
    gone."""
    made, name = plug_in(play, card, overlays=2, status=CONNECTED)
    lender = Lender(report(play, "--connector", name)["choice"]["card"])
    lease = lender.lend()
    reported = through(lease)
    assert [one["connectors"][0]["name"] for one in reported["displays"]["cards"]] == [name]
    assert len(reported["displays"]["cards"][0]["planes"]) == 1
    assert (reported["choice"]["connectorName"], reported["choice"]["step"]) == (name, "composited")
    assert "Virtual-1" in through(lease, "--connector", "Virtual-1", status=8)["problem"]
    lender.take_back()
    assert "no display" in through(lease, status=5)["problem"]
    os.close(lease)
    os.close(lender.card)


def test_a_descriptor_that_is_no_card_is_refused():
    with open("/dev/null") as null:
        reported = through(null.fileno(), status=8)
    assert "not a display card" in reported["problem"] and "lease" in reported["remedy"]
