// Every page: how many of something there are, in the singular where there is one.

export const counted = (count, one, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
