"""What the test films show behind the frame number: a ride along misty mountains, by day, evening and dusk.

Made by arithmetic, so that the films are free and always the same; grain and textures make a decoder work as hard as
photographs do. Luma stays above 60: the picture stands out from black bars around it.
"""

from collections.abc import Iterator

import numpy

# Frames between cuts.
SCENE = 200

# Sky above, sky at the horizon, far mountains, near mountains: RGB.
PALETTES = [
    ((70, 130, 200), (205, 225, 235), (150, 180, 200), (52, 96, 84)),
    ((92, 90, 160), (250, 190, 130), (190, 140, 150), (98, 70, 84)),
    ((64, 140, 170), (235, 235, 205), (160, 195, 175), (70, 104, 62)),
    ((72, 70, 120), (225, 140, 150), (140, 110, 150), (72, 64, 96)),
]
LAYERS = 5
GRAIN = 3


def yuv(colour: tuple[float, ...]) -> tuple[float, float, float]:
    """BT.601, video range."""
    red, green, blue = colour
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    return 16 + luma * 219 / 255, 128 + (blue - luma) * 0.496, 128 + (red - luma) * 0.627


def mix(one: tuple, other: tuple, share: float) -> tuple[float, ...]:
    return tuple(a + (b - a) * share for a, b in zip(one, other))


def noise(random: numpy.random.Generator, shape: tuple[int, ...], fall: float) -> numpy.ndarray:
    """Fractal noise about 0, most of it within -1 ... 1, periodic; amplitude falls with frequency to the power of
    `fall`, in photographs about 1 for surfaces."""
    axes = [numpy.fft.fftfreq(length) for length in shape[:-1]] + [numpy.fft.rfftfreq(shape[-1])]
    frequency = numpy.sqrt(sum(axis**2 for axis in numpy.meshgrid(*axes, indexing="ij")))
    frequency[(0,) * len(shape)] = numpy.inf
    spectrum = random.standard_normal(frequency.shape) + 1j * random.standard_normal(frequency.shape)
    field = numpy.fft.irfftn(spectrum * frequency**-fall, s=shape, axes=tuple(range(len(shape))))
    return field / (2 * field.std())


class Layer:
    """One chain of mountains: planes Y, U, V and where it is solid, twice as long as the picture is wide, periodic."""

    def __init__(self, random, size, depth: float, palette):
        width, height = size
        length = 2 * width
        crest = height * (0.46 + 0.4 * depth) - noise(random, (length,), 1.2) * height * (0.13 - 0.05 * depth)
        self.top = max(0, 2 * int(crest.min() // 2))
        rows = numpy.arange(self.top, height)[:, None]
        below = (rows - crest[None, :]) / height
        texture = noise(random, (height - self.top, length), 0.9)
        luma, u, v = yuv(mix(palette[2], palette[3], depth))
        # Mist gathers below each crest.
        haze = numpy.clip(below * 2.5, 0, 1) * (1 - depth) * 36
        planes = [numpy.clip(luma + haze + texture * (6 + 20 * depth), 62, 225).astype(numpy.uint8)]
        slow = noise(random, ((height - self.top) // 2, width), 1.6)
        planes += [numpy.clip(value + slow * 5, 16, 240).astype(numpy.uint8) for value in (u, v)]
        solid = below > 0
        self.solid = [self.doubled(solid), self.doubled(solid[::2, ::2])]
        self.planes = [self.doubled(plane) for plane in planes]
        self.speed = 0.4 + 5 * depth**1.5

    @staticmethod
    def doubled(plane: numpy.ndarray) -> numpy.ndarray:
        return numpy.concatenate((plane, plane[:, : plane.shape[1] // 2]), axis=1)

    def paint(self, planes: list[numpy.ndarray], step: float) -> None:
        height, width = planes[0].shape
        offset = 2 * (int(step * self.speed * width / 640) // 2) % (2 * width)
        for number, plane in enumerate(planes):
            scale = 2 if number else 1
            window = slice(offset // scale, (offset + width) // scale)
            target = plane[self.top // scale :]
            numpy.copyto(target, self.planes[number][:, window], where=self.solid[min(number, 1)][:, window])


def disc(planes: list[numpy.ndarray], x: float, y: float, radius: float, colour: tuple[float, ...]) -> None:
    """A filled circle; may reach out of the picture."""
    for number, (plane, value) in enumerate(zip(planes, yuv(colour))):
        scale = 2 if number else 1
        height, width = plane.shape
        left, right = max(0, int((x - radius) / scale)), min(width, int((x + radius) / scale) + 1)
        top, bottom = max(0, int((y - radius) / scale)), min(height, int((y + radius) / scale) + 1)
        yy, xx = numpy.ogrid[top:bottom, left:right]
        inside = (xx - x / scale) ** 2 + (yy - y / scale) ** 2 < (radius / scale) ** 2
        plane[top:bottom, left:right][inside] = round(value)


def pictures(size: tuple[int, int], count: int) -> Iterator[list[numpy.ndarray]]:
    """The planes Y, U, V (uint8, 4:2:0, video range) of each frame; the caller may draw on them."""
    width, height = size
    random = numpy.random.default_rng(7)
    grains = [random.integers(-GRAIN, GRAIN + 1, (height, width)).astype(numpy.uint8) for _ in range(8)]
    for frame in range(count):
        scene, step = divmod(frame, SCENE)
        if step == 0:
            palette = PALETTES[scene % len(PALETTES)]
            rows = numpy.clip(numpy.linspace(0, 1.7, height), 0, 1)
            sky = numpy.array([yuv(mix(palette[0], palette[1], share)) for share in rows])
            clouds = numpy.clip(noise(random, (height, 2 * width), 1.5), 0, 1)
            heaven = (sky[:, :1] + (225 - sky[:, :1]) * 0.5 * clouds).astype(numpy.uint8)
            tints = [numpy.repeat(sky[::2, i : i + 1], width // 2, axis=1).round().astype(numpy.uint8) for i in (1, 2)]
            layers = [Layer(random, size, depth, palette) for depth in numpy.linspace(0, 1, LAYERS)]
        ride = step + 100
        drift = ride * width // 1600 % width
        planes = [heaven[:, drift : drift + width].copy(), *(tint.copy() for tint in tints)]
        disc(planes, width * (0.72 - ride / 3000), height * (0.33 + ride / 2500), height * 0.055, (255, 240, 200))
        for layer in layers[:3]:
            layer.paint(planes, ride)
        x = width * (0.2 + 0.6 * ((frame / 260) % 1))
        y = height * (0.36 + 0.05 * numpy.sin(frame / 17))
        disc(planes, x, y, height * 0.075, (214, 72, 56))
        disc(planes, x, y + height * 0.105, height * 0.02, (120, 84, 60))
        for layer in layers[3:]:
            layer.paint(planes, ride)
        # Wraps around like the bytes it is: adds -GRAIN ... GRAIN.
        planes[0] += grains[frame % len(grains)]
        yield planes
