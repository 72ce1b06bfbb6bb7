"""From photos of a table to groups that the conductor confirms or corrects.

Overlapping photos are joined by the cards that they share: groups of two photos that hold one card
between them are one group on the table. A group that is recorded already goes on with its cards.
"""

from collections import Counter

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components


def join(photos):
    """Join the groups of several photos by the cards that they share.

    Parameters
    ----------
    photos : list of dict of int to int
        For each photo, stimulus to group of that photo.

    Returns
    -------
    list of list of int
        The stimuli of each joint group, in the order in which the photos show them.

    Examples
    --------
    >>> join([{1: 1, 2: 1, 3: 2}, {3: 1, 4: 1, 5: 2}])
    [[1, 2], [3, 4], [5]]
    """
    groups = {}
    for at, photo in enumerate(photos):
        for group in photo.values():
            groups.setdefault((at, group), len(groups))
    first_seen, links = {}, []
    for at, photo in enumerate(photos):
        for stimulus, group in photo.items():
            here = groups[at, group]
            links.append((first_seen.setdefault(stimulus, here), here))
    if not links:
        return []
    ends = np.array(links).T
    graph = coo_array((np.ones(len(links)), ends), shape=(len(groups), len(groups)))
    joint = connected_components(graph, directed=False)[1]
    joined = {}
    for stimulus, group in first_seen.items():
        joined.setdefault(int(joint[group]), []).append(stimulus)
    return list(joined.values())


def propose(photos, placed):
    """Groups for the cards of some photos.

    Parameters
    ----------
    photos : list of (int, dict)
        Number of each photo, and its reading as `table_photos.add` kept it.
    placed : dict of int to str
        Stimulus to the key of the group that it is recorded in already.

    Returns
    -------
    list of dict
        `key` of a recorded group, or a new one, and `cards`, stimuli.
    """
    recorded_keys = set(placed.values())
    by_photo = [{c["stimulus"]: c["group"] for c in reading["cards"]} for _id, reading in photos]
    proposed, used = [], set()
    for at, cards in enumerate(join(by_photo)):
        recorded = Counter(placed[s] for s in cards if s in placed and placed[s] not in used)
        key = recorded.most_common(1)[0][0] if recorded else f"photo-{photos[0][0]}-{at + 1}"
        while key in used or (not recorded and key in recorded_keys):
            key += "-again"
        used.add(key)
        proposed.append({"key": key, "cards": cards})
    return proposed
