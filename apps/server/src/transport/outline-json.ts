import { depthChange, stringEnds } from '@palimpsest/core/domain'
import { SERVER_LIMITS } from '../limits.ts'

/** The structure of a JSON text, found without parsing it. */
export type JsonOutline = {
  /** The limit that it exceeds. */
  excess: 'nesting' | 'values' | null
  /** Calls of a socket message: objects at the top, alone or in a list. */
  calls: number
  /** Ids and procedures of these calls, as far as they have been read. */
  ids: (number | string)[]
  paths: string[]
  /** False when the text was not read to its end. */
  isWhole: boolean
}

const [QUOTE, COMMA, OBJECT] = [0x22, 0x2c, 0x7b]
/** Characters of a value outside of strings: digits, white space, signs. */
const VALUE = 20
const ID = /\s*:\s*(?:(\d{1,15})(?![\d.eE])|"([^"\\\p{Cc}]{1,128})")/uy
const PATH = /\s*:\s*"([\w.]{1,100})"/y

/**
 * Reads a JSON text once, in time linear in its length, and without allocations: parsing a few megabytes of
 * brackets takes seconds. Text that is not JSON gives some outline as well, and fails where it is parsed. Beyond a limit it is
 * read on while it has at most `past` characters outside of strings.
 */
export function outlineJson(text: string, past = 0): JsonOutline {
  const outline: JsonOutline = { excess: null, calls: 0, ids: [], paths: [], isWhole: true }
  const top = /^\s*\[/.test(text.slice(0, 100)) ? 2 : 1
  const endOfString = stringEnds(text)
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
    outside++
    outline.excess ??= excessOf(depth, values, outside)
    if (outline.excess !== null && outside > past) return { ...outline, isWhole: false }
  }
  return outline
}

function excessOf(depth: number, values: number, outside: number): JsonOutline['excess'] {
  const { nesting, valuesPerRequest } = SERVER_LIMITS
  if (depth > nesting) return 'nesting'
  return values > valuesPerRequest || outside > valuesPerRequest * VALUE ? 'values' : null
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
