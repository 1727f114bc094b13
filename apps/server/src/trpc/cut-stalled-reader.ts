import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Cuts the connection once its reader has taken nothing for `stallMs` of what waits for it. A slow reader that takes
 * something goes on; so does a connection on which nothing waits.
 */
export function cutStalledReader(outgoing: Socket | ServerResponse, stallMs: number): void {
  outgoing.setTimeout(stallMs, () => {
    if (outgoing.writableLength > 0) outgoing.destroy()
  })
}
