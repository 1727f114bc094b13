/** The number of a column; 0 where the column holds something else. */
export function toNumber(value: bigint | number): number {
  const number = Number(value)
  return Number.isFinite(number) ? number : 0
}

/** Epoch milliseconds, or null. */
export function toTime(value: bigint | null): number | null {
  return value === null ? null : toNumber(value)
}
