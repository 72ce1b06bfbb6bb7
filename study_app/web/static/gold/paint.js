// Gold standard of a set: paints the matrix a few rows at a time, so that the page stays responsive.

const BUSY_MS = 12;
// Colours from 0 to 1: white, the accent in the middle, ink at the end.
const STOPS = [[255, 255, 255], [143, 172, 240], [43, 91, 215], [16, 28, 74]];
const NO_DATA = [214, 211, 205];

export function colour(share) {
  const at = share * (STOPS.length - 1);
  const from = Math.min(Math.floor(at), STOPS.length - 2);
  return STOPS[from].map((value, channel) =>
    Math.round(value + (STOPS[from + 1][channel] - value) * (at - from))
  );
}

export function paint(canvas, groups, size) {
  canvas.width = size;
  canvas.height = size;
  const context = canvas.getContext("2d");
  const people = groups.map((row) => Int32Array.from(row));
  const table = shades(people.length);
  let row = 0;
  const strip = () => {
    const until = performance.now() + BUSY_MS;
    while (row < size && performance.now() < until) {
      context.putImageData(line(people, row, size, table), 0, row);
      row += 1;
    }
    if (row < size) requestAnimationFrame(strip);
    else canvas.dataset.painted = "true";
  };
  strip();
}

// A lookup table of the colours: "k of n" is at n * (people + 1) + k.
function shades(people) {
  const table = new Uint32Array((people + 1) * (people + 1));
  for (let both = 0; both <= people; both += 1) {
    for (let together = 0; together <= both; together += 1) {
      const [red, green, blue] = both ? colour(together / both) : NO_DATA;
      table[both * (people + 1) + together] = (255 << 24) | (blue << 16) | (green << 8) | red;
    }
  }
  return table;
}

function line(people, row, size, table) {
  const together = new Uint16Array(size), both = new Uint16Array(size);
  for (const groups of people) {
    const mine = groups[row];
    if (mine < 0) continue;
    for (let column = 0; column < size; column += 1) {
      const other = groups[column];
      if (other >= 0) both[column] += 1;
      if (other === mine) together[column] += 1;
    }
  }
  const pixels = new Uint32Array(size);
  for (let column = 0; column < size; column += 1) {
    pixels[column] = table[both[column] * (people.length + 1) + together[column]];
  }
  return new ImageData(new Uint8ClampedArray(pixels.buffer), size, 1);
}
