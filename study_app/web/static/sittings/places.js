// Recording page: the photos that show a card.

// The photos that show an unread card, and its place in each: it is ringed on another one if there are
// more photos, or fewer.
const placesOf = ({ photo, place, elsewhere = [] }) => [[photo, place], ...elsewhere];

export const isSame = (unread, other) => {
  const places = placesOf(unread).map(String);
  return placesOf(other).some((spot) => places.includes(String(spot)));
};

// The ids of those of `photos` that show a card, or of which `unread` is a place where it was identified.
export const showing = (photos, card, unread) => {
  const identified = unread ? placesOf(unread).map(([photo]) => photo) : [];
  const shown = photos.filter(({ id, reading }) =>
    identified.includes(id) || reading.cards.some(({ stimulus }) => stimulus === card)
  );
  return shown.map(({ id }) => id);
};

// The groups of a photo's cards; those in no group are in the group `otherwise`, if any.
export function groupsOf(photo, table, otherwise) {
  const keys = new Map();
  for (const { stimulus } of photo.reading.cards) {
    const key = table.placed.get(stimulus) ?? otherwise;
    if (key !== undefined) keys.set(key, [...(keys.get(key) || []), stimulus]);
  }
  return [...keys].map(([key, cards]) => ({ key, cards }));
}

// Its unread cards, beside a group.
export const unreadOn = ({ id, reading }, key) =>
  reading.unread.map((_, place) => ({ photo: id, place, key }));
