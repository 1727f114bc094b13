import type { ServerResponse } from 'node:http'

/** Resolves when there is room for more in an answer, or once its reader is gone. */
export function roomIn(outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const settle = () => {
      outgoing.off('drain', settle).off('close', settle)
      resolve()
    }
    outgoing.on('drain', settle).on('close', settle)
  })
}
