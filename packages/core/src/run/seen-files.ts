import { isObject } from '../domain/json/stored-keys.ts'
import { type ChatPart, isOwnCall } from '../domain/message/message.ts'

/** A file as a call has seen or left it; `before` is what a change replaced. */
type Seen = { stamp: string; before: string | null }

/**
 * SHA-256 of a file as the model has last read or written it in these parts, null when it has not. The tools that read and
 * write files keep it in the data of their results, so that it goes with rewinds and branches. Calls of one step may be
 * executed in any order: of these what another one has replaced does not count.
 */
export function lastSeen(parts: readonly ChatPart[], path: string): string | null {
  let end = parts.length
  while (end > 0) {
    const start = parts.findLastIndex(({ type }, index) => type === 'step-start' && index < end)
    const seen = parts.slice(Math.max(start, 0), end).flatMap((part) => seenIn(part, path))
    const current = seen.filter(({ stamp }) => !seen.some(({ before }) => before === stamp))
    const last = current.at(-1) ?? seen.at(-1)
    if (last !== undefined) return last.stamp
    end = start
  }
  return null
}

/** The paths of files that calls in these parts have read or written, at most `limit`, the latest first. */
export function seenPaths(parts: readonly ChatPart[], limit: number): string[] {
  const paths = new Set<string>()
  for (const part of parts.toReversed()) {
    if (paths.size >= limit) break
    const data = dataOf(part)
    if (data !== null && typeof data['path'] === 'string' && typeof data['stamp'] === 'string')
      paths.add(data['path'])
  }
  return [...paths]
}

function dataOf(part: ChatPart): Record<string, unknown> | null {
  if (!isOwnCall(part) || part.state !== 'output-available' || !isObject(part.output)) return null
  const { data } = part.output
  return isObject(data) ? data : null
}

function seenIn(part: ChatPart, path: string): Seen[] {
  const data = dataOf(part)
  if (data === null || data['path'] !== path) return []
  const { stamp, before } = data
  return typeof stamp === 'string' ? [{ stamp, before: typeof before === 'string' ? before : null }] : []
}
