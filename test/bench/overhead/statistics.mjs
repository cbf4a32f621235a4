/** The middle of a list of numbers; the mean of the two middle ones for an even count. */
export function median(values) {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median, the range that half of the values lie in, and the fastest: the one least disturbed by other programs. */
export function spread(values) {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  return { median: median(sorted), low: at(0.25), high: at(0.75), fastest: sorted[0] };
}

/** 0, 1, 2 … starting elsewhere each round, so that nobody always runs first. */
export function rotated(list, round) {
  const start = round % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
