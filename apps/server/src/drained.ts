import type { Writable } from 'node:stream'

/** Resolves at the next `drain` of a stream, or once it is closed. */
export function drained(outgoing: Writable): Promise<void> {
  if (outgoing.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const settle = () => {
      outgoing.off('drain', settle).off('close', settle)
      resolve()
    }
    outgoing.on('drain', settle).on('close', settle)
  })
}
