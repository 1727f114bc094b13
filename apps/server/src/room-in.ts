import type { Writable } from 'node:stream'

/** Resolves when there is room for more in what someone reads, or once its reader is gone. */
export function roomIn(outgoing: Writable): Promise<void> {
  if (outgoing.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const settle = () => {
      outgoing.off('drain', settle).off('close', settle)
      resolve()
    }
    outgoing.on('drain', settle).on('close', settle)
  })
}
