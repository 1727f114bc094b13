/** True when objects and arrays in `value` are nested more than `nesting` deep; a text or number is nested 0 deep. Reads no deeper than that. */
export function isNestedBeyond(value: unknown, nesting: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (nesting === 0) return true
  return Object.values(value).some((inner) => isNestedBeyond(inner, nesting - 1))
}

/** `isNestedBeyond` of a JSON text, whole or cut off, without parsing it. */
export function isJsonNestedBeyond(json: string, levels: number): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at + 1)
        break
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth += 1
        if (depth > levels) return true
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1
    }
  }
  return false
}

/** The index of the quotation mark that ends a string; the text's length when there is none. */
function endOfString(json: string, from: number): number {
  for (let at = json.indexOf('"', from); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0
    while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return json.length
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Counts what a JSON text holds, one character code after the other. */
type JsonCounter = {
  read(code: number): void
  /** A string that is open ends here. */
  endString(): void
  /** Starts anew with another text. */
  reset(): void
  /** The most levels of nesting so far. */
  readonly deepest: number
  /** Values so far: about one for each comma and each list or object. */
  readonly values: number
}

export function createJsonCounter(): JsonCounter {
  let depth = 0
  let deepest = 0
  let values = 0
  let inString = false
  let escaped = false

  function readInString(code: number) {
    if (escaped) escaped = false
    else if (code === BACKSLASH) escaped = true
    else if (code === QUOTE) inString = false
  }

  function readOutside(code: number) {
    switch (code) {
      case QUOTE:
        inString = true
        return
      case COMMA:
        values += 1
        return
      case OPEN_LIST:
      case OPEN_OBJECT:
        values += 1
        depth += 1
        if (depth > deepest) deepest = depth
        return
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth -= 1
    }
  }

  return {
    read(code) {
      if (inString) readInString(code)
      else readOutside(code)
    },
    endString() {
      inString = false
      escaped = false
    },
    reset() {
      depth = 0
      deepest = 0
      values = 0
    },
    get deepest() {
      return deepest
    },
    get values() {
      return values
    },
  }
}
