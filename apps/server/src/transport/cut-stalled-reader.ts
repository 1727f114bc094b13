import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Closes the connection once its reader has read nothing for `stallMs` while bytes wait for it. A slow reader that reads
 * something stays connected; so does a connection without waiting bytes.
 */
export function cutStalledReader(outgoing: Socket | ServerResponse, stallMs: number): void {
  outgoing.setTimeout(stallMs, () => {
    if (outgoing.writableLength > 0) outgoing.destroy()
  })
}
