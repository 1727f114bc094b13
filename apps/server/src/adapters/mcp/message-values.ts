/** Lists and objects inside one another, and all values of a message: to parse more takes tenths of a second, and 10 MB of brackets seconds. */
const NESTING = 10_000
const VALUES = 200_000

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Counts the values of a message as its bytes arrive, before it is parsed. */
export type MessageValues = {
  /** Returns false once the message has more values than one that works would have. */
  add(bytes: Buffer): boolean
  /** The next byte is the first of another message. */
  restart(): void
}

type Place = 'outside' | 'text' | 'escape'
const START = { place: 'outside' as Place, depth: 0, values: 0 }

export function createMessageValues(): MessageValues {
  let { place, depth, values } = START

  function count(byte: number | undefined): void {
    if (byte === QUOTE) place = 'text'
    else if (byte === LIST_END || byte === OBJECT_END) depth -= 1
    else if (byte === LIST || byte === OBJECT) depth += 1
    if (byte === COMMA || byte === LIST || byte === OBJECT) values += 1
  }

  /** Reads from a place inside a text up to its next quote or backslash; returns the index behind that. */
  function readText(quote: number, backslash: number, length: number): number {
    const next = Math.min(quote, backslash)
    if (next < length) place = quote < backslash ? 'outside' : 'escape'
    return next + 1
  }

  return {
    add(bytes) {
      const quotes = finder(bytes, QUOTE)
      const backslashes = finder(bytes, BACKSLASH)
      for (let at = 0; at < bytes.length; ) {
        if (place === 'text') at = readText(quotes(at), backslashes(at), bytes.length)
        else if (place === 'outside') count(bytes[at++])
        else {
          place = 'text'
          at += 1
        }
        if (depth > NESTING || values > VALUES) return false
      }
      return true
    },
    restart() {
      ;({ place, depth, values } = START)
    },
  }
}

/** Finds the next of such bytes, or the end. Each byte is searched once, since the places asked for only grow. */
function finder(bytes: Buffer, wanted: number): (from: number) => number {
  let found = -1
  return (from) => {
    if (found < from) found = bytes.indexOf(wanted, from)
    if (found === -1) found = bytes.length
    return found
  }
}
