const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
/** Characters that are read one by one behind an escape. */
const ESCAPED = 64
/** Characters of a value outside of strings: digits, white space, signs. */
const VALUE = 40

export type JsonBounds = {
  /** Lists and objects inside one another. */
  nesting: number
  /** Values: about one for each comma and each list or object. */
  values: number
}

/**
 * The bound that a JSON text exceeds, or null. The text is read once, in time linear in its length, and is not parsed:
 * parsing a few megabytes of brackets takes seconds. What follows that place is not read.
 */
export function jsonExcess(json: string, bounds: JsonBounds): keyof JsonBounds | null {
  const endOfString = stringEnds(json)
  let depth = 0
  let values = 0
  let outside = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(at + 1)
    const change = depthChange(code)
    depth += change
    if (change === 1 || code === COMMA) values += 1
    outside += 1
    if (depth > bounds.nesting) return 'nesting'
    if (values > bounds.values || outside > bounds.values * VALUE) return 'values'
  }
  return null
}

/** How a character outside of strings changes the depth of nesting. */
export function depthChange(code: number): 1 | -1 | 0 {
  if (code === LIST || code === OBJECT) return 1
  return code === LIST_END || code === OBJECT_END ? -1 : 0
}

/**
 * Finds the quotes that end the strings of a JSON text. Long strings are searched by the engine, and only what is close to an escape is read
 * character by character.
 */
export function stringEnds(text: string): (start: number) => number {
  let backslash = -1

  function nextBackslash(from: number): number {
    if (backslash < from) backslash = text.indexOf('\\', from)
    if (backslash === -1) backslash = text.length
    return backslash
  }

  /** Returns the index of the quote that ends the string, or of the text's end. */
  return (start) => {
    let at = start
    let quote = text.indexOf('"', at)
    while (quote !== -1 && nextBackslash(at) < quote) {
      at = pastEscapes(text, nextBackslash(at))
      if (text.charCodeAt(at) === QUOTE) return at
      if (quote < at) quote = text.indexOf('"', at)
    }
    return quote === -1 ? text.length : quote
  }
}

/** Reads some characters of a string, with their escapes, and returns where it stopped: at the closing quote, or after them. */
function pastEscapes(text: string, start: number): number {
  let at = start
  for (const stop = start + ESCAPED; at < stop && at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return at
}
