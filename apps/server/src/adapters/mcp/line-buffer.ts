const NEWLINE = 0x0a

/** Splits bytes into lines. Each byte is copied once, however small the pieces are in which it comes. */
export type LineBuffer = {
  /** Takes a piece and returns the lines that it completes, without their ends. */
  add(bytes: Buffer): Buffer[]
  /** Bytes of the line that is not complete. */
  readonly length: number
}

export function createLineBuffer(): LineBuffer {
  let held: Buffer[] = []
  let length = 0
  return {
    add(bytes) {
      const lines: Buffer[] = []
      let start = 0
      for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
        lines.push(Buffer.concat([...held, bytes.subarray(start, end)]))
        held = []
        length = 0
        start = end + 1
      }
      if (start < bytes.length) {
        held.push(bytes.subarray(start))
        length += bytes.length - start
      }
      return lines
    },
    get length() {
      return length
    },
  }
}
