"""Removing metadata from TIFF files whose directories are written by hand."""

import struct

from printables.artwork.tiff import without_descriptions


def made(order, *entries, values=b"", following=0):
    """A TIFF file with one directory at byte 8; `values` follow it."""
    mark = {"<": b"II*\0", ">": b"MM\0*"}[order]
    listed = b"".join(struct.pack(f"{order}HHII", *entry) for entry in entries)
    count = struct.pack(f"{order}H", len(entries))
    return (
        mark
        + struct.pack(f"{order}I", 8)
        + count
        + listed
        + struct.pack(f"{order}I", following)
        + values
    )


WIDTH, LENGTH, MODEL, PAGE = (256, 4, 1, 64), (257, 4, 1, 48), 272, (254, 4, 1, 0)


def test_an_entry_is_removed_with_its_value_and_the_others_move_up():
    for order in "<>":
        at = 8 + 2 + 3 * 12 + 4
        content = made(order, WIDTH, (MODEL, 2, 7, at), LENGTH, values=b"SpyCam\0pixels")
        expected = made(order, WIDTH, LENGTH) + bytes(12) + bytes(7) + b"pixels"
        assert without_descriptions(content) == expected


def test_a_value_in_the_entry_itself_is_removed():
    content = made("<", (MODEL, 2, 4, int.from_bytes(b"Spy\0", "little")), WIDTH)
    assert b"Spy" in content and b"Spy" not in without_descriptions(content)


def test_circular_directories_are_refused_or_removed():
    assert without_descriptions(made("<", WIDTH, following=8)) is None
    inner = made("<", WIDTH, (34665, 4, 1, 8))
    assert without_descriptions(inner) is not None


def test_other_files_are_refused():
    for content in (b"", b"II*\0", b"\x89PNG", made("<", WIDTH)[:20], b"II*\0\xff\xff\xff\xff"):
        assert without_descriptions(content) is None
