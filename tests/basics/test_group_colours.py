"""Group colours: distinguishable with colour blindness, and readable under white text."""

import numpy as np

from basics.group_colours import GROUP_COLOURS, colour_number, is_repeated

# How dichromats see linear RGB: Machado, Oliveira and Fernandes (2009), severity 1.
SEEN = {
    "usual": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def linear(colours):
    """Linear RGB of hex codes, by the curve of sRGB."""
    coded = np.array([[int(c[at : at + 2], 16) / 255 for at in (1, 3, 5)] for c in colours])
    return np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)


def oklab(rgb):
    """OKLab of linear RGB (Ottosson 2020)."""
    cones = [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
    opponents = [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
    return np.cbrt(rgb @ np.transpose(cones)) @ np.transpose(opponents)


def test_oklab_of_white_and_black():
    # White is (1, 0, 0), black (0, 0, 0).
    np.testing.assert_allclose(
        oklab(linear(["#ffffff", "#000000"])), [[1, 0, 0], [0, 0, 0]], atol=1e-3
    )


def test_any_two_colours_differ_with_every_kind_of_colour_blindness(subtests):
    rgb = linear(GROUP_COLOURS)
    for kind, seen in SEEN.items():
        with subtests.test(kind):
            lab = oklab(np.clip(rgb @ np.transpose(seen), 0, 1))
            distance = np.linalg.norm(lab[:, None] - lab[None], axis=-1)
            assert distance[np.triu_indices(len(lab), 1)].min() >= 0.08


def test_white_text_has_enough_contrast_on_each():
    luminance = linear(GROUP_COLOURS) @ [0.2126, 0.7152, 0.0722]
    assert (1.05 / (luminance + 0.05)).min() >= 4.5


def test_colours_repeat_after_twelve():
    assert [colour_number(group) for group in (1, 12, 13, 25)] == [1, 12, 1, 1]
    assert [is_repeated(group) for group in (12, 13)] == [False, True]
