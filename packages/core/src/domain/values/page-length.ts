import { LIMITS } from '../limits.ts'

/** How many messages of these sizes, in bytes, a page holds: at most `limit` and `LIMITS.pageBytes`, and one at least. */
export function pageLength(sizes: readonly number[], limit: number): number {
  let bytes = 0
  const first = sizes.slice(0, limit).findIndex((size, index) => {
    bytes += size
    return index > 0 && bytes > LIMITS.pageBytes
  })
  return first === -1 ? Math.min(limit, sizes.length) : first
}
