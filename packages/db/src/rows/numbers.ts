import { IMPORT_LIMITS } from '@palimpsest/core/domain'

/** SQLite's integers go beyond what a number of JavaScript holds. */
const MOST = Number.MAX_SAFE_INTEGER

/** The number of a column; 0 where the column holds something else, or more than counts and times are. */
export function toNumber(value: bigint | number): number {
  const number = Number(value)
  return Math.abs(number) <= MOST ? number : 0
}

/** A count for a column: whole, of 0 or more, and exact in every sum. */
export function toCount(value: number): number {
  return Number.isNaN(value) ? 0 : Math.round(Math.min(Math.max(value, 0), IMPORT_LIMITS.tokensPerSession))
}

/** Epoch milliseconds, or null. */
export function toTime(value: bigint | null): number | null {
  return value === null ? null : toNumber(value)
}
