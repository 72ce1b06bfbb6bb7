"""Result files of systems for a small study, and uploading them."""

from study_app.results.gold.sets import compute
from study_app.results.systems import uploads

STIMULI = ["a", "b", "c", "d"]
SORTED = [[0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 1, 1]]
GROUPS = "stimulus_id,group_id\na,x\nb,x\nc,y\nd,y\n"
MATRIX = "id,a,b,c,d\na,0,1,9,9\nb,1,0,8,9\nc,9,8,0,2\nd,9,9,2,0\n"
SCORES = "query_id,stimulus_id,score\nq,a,9\nq,b,5\nq,c,1\nr,a,1\nr,b,2\nr,c,3\n"


def add_systems(set_id, *files):
    return uploads.add_systems(("set", set_id), list(files), compute(set_id))
