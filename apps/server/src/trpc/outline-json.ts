import { SERVER_LIMITS } from '../limits.ts'

/** The structure of a JSON text, found without parsing it. */
export type JsonOutline = {
  /** The limit that it exceeds; the text behind that place is not read. */
  excess: 'nesting' | 'values' | null
  /** Calls of a socket message: objects at the top, alone or in a list. */
  calls: number
  /** Ids and procedures of these calls, as far as they have been read. */
  ids: (number | string)[]
  paths: string[]
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
/** Characters that are read one by one behind an escape. */
const ESCAPED = 64
/** Characters of a value outside of strings: digits, white space, signs. */
const VALUE = 20
const ID = /\s*:\s*(?:(\d{1,15})(?!\d)|"([\w-]{1,64})")/y
const PATH = /\s*:\s*"([\w.]{1,100})"/y

/**
 * Reads a JSON text once, in time linear in its length, and without allocations: parsing a few megabytes of
 * brackets takes seconds. Text that is not JSON gives some outline as well, and fails where it is parsed.
 */
export function outlineJson(text: string): JsonOutline {
  const { nesting, valuesPerRequest } = SERVER_LIMITS
  const outline: JsonOutline = { excess: null, calls: 0, ids: [], paths: [] }
  const top = /^\s*\[/.test(text.slice(0, 100)) ? 2 : 1
  const endOfString = createStrings(text)
  let depth = 0
  let values = 0
  let outside = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const end = endOfString(at + 1)
      noteCall(outline, text, { start: at, end, below: depth - top })
      at = end
      continue
    }
    const change = depthChange(code)
    depth += change
    if (change === 1 && code === OBJECT && depth === top) outline.calls++
    if (change === 1 || code === COMMA) values++
    if (depth > nesting) return { ...outline, excess: 'nesting' }
    if (values > valuesPerRequest || ++outside > valuesPerRequest * VALUE)
      return { ...outline, excess: 'values' }
  }
  return outline
}

function depthChange(code: number): 1 | -1 | 0 {
  if (code === LIST || code === OBJECT) return 1
  return code === LIST_END || code === OBJECT_END ? -1 : 0
}

/**
 * Finds the quotes that end strings. Long strings are searched by the engine, and only what is close to an escape is read
 * character by character.
 */
function createStrings(text: string): (start: number) => number {
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

type Place = { start: number; end: number; below: number }

/** Stores the id or the procedure of a call when this string is the value of such a key, `below` the call by 0 or 1. */
function noteCall({ ids, paths }: JsonOutline, text: string, { start, end, below }: Place): void {
  if (below === 0 && end - start === 3 && text.startsWith('"id"', start)) {
    const [, number, word = ''] = valueAt(ID, text, end + 1) ?? []
    if (number !== undefined || word !== '') ids.push(number === undefined ? word : Number(number))
  }
  if (below === 1 && end - start === 5 && text.startsWith('"path"', start))
    paths.push(valueAt(PATH, text, end + 1)?.[1] ?? '')
}

function valueAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
