import { OUTPUT_LIMITS } from '../../ports/index.ts'

export type BoundedOutput = {
  add(text: string): void
  /** The beginning of the output. */
  readonly head: string
  /** The end of it. */
  readonly tail: string
  /** Characters in all. */
  readonly length: number
  /** Whether the head is not all of it. */
  readonly truncated: boolean
}

const encoder = new TextEncoder()

/** Holds the beginning of an output of any length, in bytes of UTF-8, and the end, in characters. */
export function createBoundedOutput(limits: { head: number; tail: number } = OUTPUT_LIMITS): BoundedOutput {
  let head = ''
  let left = limits.head
  let truncated = false
  let tail = ''
  let length = 0

  function addToHead(text: string): void {
    if (truncated) return
    const { read, written } = encoder.encodeInto(text, new Uint8Array(Math.min(left, 3 * text.length)))
    head += text.slice(0, read)
    left -= written
    truncated = read < text.length
  }

  return {
    add(text) {
      length += text.length
      addToHead(text)
      tail = (tail + text).slice(-limits.tail)
    },
    get head() {
      return head
    },
    get tail() {
      return length > limits.tail ? tail.replace(/^[\uDC00-\uDFFF]/, '') : tail
    },
    get length() {
      return length
    },
    get truncated() {
      return truncated
    },
  }
}
