"""Every parser of what comes from outside: a good input, and a function that takes any bytes.

A parser gives something or refuses in a sentence; any other exception is a fault.
"""

import io
import json
import tempfile
import zipfile
from contextlib import ExitStack
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from analysis.files import (
    clusterings,
    groupings,
    ratings,
    scores,
)
from analysis.files.runs import shrec, trec
from basics.errors import Refusal
from printables.artwork import bitmaps, jpeg, png, svg_source
from printables.artwork import svg as svg_shapes
from printables.artwork.metadata import without_metadata
from printables.cards import codes, manifest
from printables.reading.photos import film, photo, photo_decoding
from study_app.core.errors import StudyError
from study_app.core.text import names
from study_app.sittings import assessors
from study_app.stimuli.importing import prepare, sources
from study_app.stimuli.importing.kinds import HEAD_BYTES, kind_of
from study_app.stimuli.importing.refusals import FileRefused
from study_app.web.cards import card_form
from study_app.web.ranking import entries
from study_app.web.shared import forms
from study_app.web.sittings import planning

REFUSALS = (Refusal, StudyError, FileRefused)
STIMULI = ("a", "b", "c")
FOLDER = tempfile.TemporaryDirectory(prefix="fuzz-")


def _file(content, ending):
    path = Path(FOLDER.name) / f"input{ending}"
    path.write_bytes(content)
    return path


def _text(content):
    return content.decode("utf-8", "replace")


def _picture(kind, **options):
    written = io.BytesIO()
    Image.fromarray(np.arange(1200, dtype=np.uint8).reshape(30, 40)).save(written, kind, **options)
    return written.getvalue()


def _packed(**members):
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "."), content)
    return written.getvalue()


def _npz():
    written = io.BytesIO()
    np.savez(written, stimuli=np.array(STIMULI), similarity=np.eye(3))
    return written.getvalue()


def _entries(content):
    try:
        sent = json.loads(content)
    except (ValueError, RecursionError):
        return
    entries.entries_of(sent)


def _heic():
    mirrored = Path(__file__).parents[1]
    return (mirrored / "printables" / "reading" / "photos" / "three_cards.heic").read_bytes()


def _film():
    path = Path(FOLDER.name) / "film.mp4"
    written = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10, (64, 48))
    for grey in (60, 90):
        written.write(np.full((48, 64, 3), grey, np.uint8))
    written.release()
    return path.read_bytes()


def _listed(ending):
    def listed(content):
        file = sources.Named(_file(content, ending), f"input{ending}")
        with ExitStack() as archives:
            found = sources.list_entries([file], lambda _place, _reason: None, archives)
            for entry in found[:20]:
                try:
                    entry.read()
                except REFUSALS:
                    continue

    return listed


def _made(content):
    kind = kind_of(content[:HEAD_BYTES])
    if kind not in (None, "zip", "ndjson"):
        prepare.prepare(content, kind, 1_000_000)


def _shapes(content):
    # As `svg.draw` does, but for the renderer.
    try:
        svg_shapes._drawing(svg_source.parse_svg(content, "file"))
    except REFUSALS:
        raise
    except Exception:
        return


def _time_limit(written):
    assert forms.whole_number_or_none(written, planning.TIME_LIMIT) in (None, *range(1, 1441))


def _width(written):
    assert 20 <= forms.decimal(written, card_form.LENGTHS["card_width"]) <= 400


def _numbers(content):
    for read in (planning.read_decks, assessors.read_lines, _time_limit, _width):
        try:
            read(_text(content))
        except REFUSALS:
            continue


def _names(content):
    name = names.clean_name(_text(content))
    assert name and len(name) <= names.LONGEST
    sorted([name, _text(content), "2", "10"], key=names.natural)


SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><g transform="rotate(3) scale(2)">'
    b'<path d="M0 0L5 5q1 2 3 4z" stroke="red" stroke-width="2px" style="fill:url(#a)"/></g></svg>'
)
ENTRY = (
    b'{"entries": [{"key": "abcdefgh", "kind": "score", "value": 3, "image": 4, "shown_ms": 5}]}'
)
# name: (a good input, the parser, whether it runs in a process of its own and so is slow)
TARGETS = {
    "entries": (ENTRY, _entries, False),
    "svg": (SVG, lambda content: svg_source.parse_svg(content, "file"), False),
    "svg shapes": (SVG, _shapes, False),
    "jpeg end": (_picture("JPEG"), jpeg.first_picture, False),
    "png metadata": (_picture("PNG"), lambda content: without_metadata(content, "png"), False),
    "webp metadata": (_picture("WEBP"), lambda content: without_metadata(content, "webp"), False),
    "tiff metadata": (_picture("TIFF"), lambda content: without_metadata(content, "tiff"), False),
    "png chunks": (
        _picture("PNG"),
        lambda content: content[:8] == png.SIGNATURE and png.plain_png(content, "file"),
        False,
    ),
    "zip": (_packed(a_png=_picture("PNG"), b_svg=SVG), _listed(".zip"), False),
    "drawings": (
        b'{"key_id": "5", "drawing": [[[0, 9], [3, 4]]]}\n{"drawing": [[[1], [2]]]}\n',
        _listed(".ndjson"),
        False,
    ),
    "names": ("Räder ²१ 10".encode(), _names, False),
    "numbers": (b"P03 + P04; A, B\n12", _numbers, False),
    "scanner": (b"00010004201119", lambda content: codes.decode(_text(content)), False),
    "keyboards": (
        "àààéààà'&à&è'é".encode(),
        lambda content: codes.restore_digits(_text(content)),
        False,
    ),
    "manifest": (
        b"card,code,set,stimulus,deck,page,x_mm,y_mm,width_mm,height_mm\n"
        b"42,00010004201119,a,a1,A,1,10,10,60,60\n",
        lambda content: manifest.read_manifest(_file(content, ".csv")),
        False,
    ),
    "matrix": (_npz(), lambda c: clusterings.read_clustering(_file(c, ".npz"), STIMULI), False),
    "groups": (
        b"stimulus_id,group_id\na,1\nb,1\nc,2\n",
        lambda content: clusterings.read_clustering(_file(content, ".csv"), STIMULI),
        False,
    ),
    "groupings": (
        b"participant_id,stimulus_id,group_id\nP1,a,1\nP1,b,2\n",
        lambda content: groupings.read_groupings(_file(content, ".csv")),
        False,
    ),
    "ratings": (
        b"participant_id,query_id,stimulus_id,score\nP1,q,a,1\nP1,q,b,2\n",
        lambda content: ratings.read_ratings(_file(content, ".csv")),
        False,
    ),
    "ground truth": (
        b"query_id,stimulus_id,mean,rank\nq,a,2,1\nq,b,1,2\n",
        lambda content: scores.read_ground_truth(_file(content, ".csv")),
        False,
    ),
    "run": (b"q Q0 a 1 0.5 s\nq Q0 b 2 0.4 s\n", lambda c: trec.read_run(_file(c, ".run")), False),
    "qrels": (b"q 0 a 1\nq 0 b 0\n", lambda c: trec.read_qrels(_file(c, ".qrels")), False),
    "classes": (
        b"PSB 1\n1 2\n\nchair 0 2\n1\n2\n",
        lambda content: shrec.read_classes(_file(content, ".cla")),
        False,
    ),
    "film": (_film(), film.sharpest_frames, True),
    "photo header": (
        _picture("JPEG"),
        lambda c: photo_decoding._examine(c, "file", lambda *_: None),
        False,
    ),
    "heic": (_heic(), photo.load_grey, True),
    "bitmap": (_picture("TIFF"), lambda content: bitmaps.read_bitmap(content, "file"), True),
    "picture": (_picture("GIF"), _made, True),
}
