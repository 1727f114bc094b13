import { createHash } from 'node:crypto'
import type { RunningHash } from '../../core/src/history/archive/archive-format.ts'

/** SHA-256 by Node. */
export function newHash(): RunningHash {
  const hash = createHash('sha256')
  return { update: (piece) => void hash.update(piece), digest: () => hash.digest('hex') }
}
