"""Import of files as stimuli: named, checked, sanitised, and stored once.

sources   contents of a path: files of folders, entries of .zip, lines of Quick, Draw! .ndjson
kinds     what a file is, by its content
bitmaps   PNG, JPEG, WebP, GIF, TIFF, BMP -> an upright picture on white
drawings  SVG and strokes -> safe lines, and a picture of them
looks     warnings about a picture: blank, mostly dark, tiny
prepare   one file -> its stored data: picture, thumbnail, lines, hash, warnings
unfinished  pictures on disk whose rows are not written yet
run       many files -> stimuli of a study, with a report of what was left out and why
"""
