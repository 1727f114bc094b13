import { type FileChange, isOwnCall } from '@palimpsest/core/domain'
import { isRecord, type ToolPart } from './tool-part.ts'

/** The change of a file in the output of a call; null when there is none. */
export function changeOf(part: ToolPart): FileChange | null {
  if (part.state !== 'output-available' || !isOwnCall(part) || !isRecord(part.output)) return null
  const { data } = part.output
  const change = isRecord(data) ? data['change'] : null
  if (!isRecord(change)) return null
  const { path, diff, added, removed, created, truncated } = change
  if (typeof path !== 'string' || typeof diff !== 'string') return null
  if (typeof added !== 'number' || typeof removed !== 'number') return null
  return {
    path,
    diff,
    added,
    removed,
    ...(created === true && { created }),
    ...(truncated === true && { truncated }),
  }
}
