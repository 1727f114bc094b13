/** Bytes that are read ahead at most; a piece counts as `PIECE` bytes at least. */
const AHEAD = 1024 * 1024
const PIECE = 1024

/** A body that is read as it comes, whether or not anybody waits for it. */
export type EagerBody = {
  /** The next bytes, or null at the end. Rejects with the failure of the body after all bytes that came before it. */
  read(): Promise<Uint8Array | null>
  cancel(reason: unknown): Promise<void>
}

/** Reads a body ahead: the stream of a connection that is cut discards the bytes that have come and are not read yet. */
export function readEagerly(body: ReadableStream<Uint8Array>): EagerBody {
  const reader = body.getReader()
  const held: Uint8Array[] = []
  let ahead = 0
  let end: { error: unknown } | 'done' | null = null
  let isReading = false
  let wake: () => void = () => undefined

  async function fill(): Promise<void> {
    if (isReading) return
    isReading = true
    try {
      while (end === null && ahead < AHEAD) {
        const { done, value } = await reader.read()
        if (done) end = 'done'
        else {
          held.push(value)
          ahead += weightOf(value)
        }
        wake()
      }
    } catch (error) {
      end = { error }
      wake()
    }
    isReading = false
  }

  void fill()
  return {
    async read() {
      while (held.length === 0 && end === null)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      const next = held.shift()
      if (next !== undefined) {
        ahead -= weightOf(next)
        void fill()
        return next
      }
      if (end !== null && end !== 'done') throw end.error
      return null
    },
    cancel: (reason) => reader.cancel(reason),
  }
}

function weightOf(bytes: Uint8Array): number {
  return Math.max(bytes.length, PIECE)
}
