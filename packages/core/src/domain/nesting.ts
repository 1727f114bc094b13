/** True when objects and arrays in `value` are nested more than `levels` deep. Looks no deeper than that. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((inner) => nestsDeeper(inner, levels - 1))
}

/** The same of a JSON text, whole or cut off, without parsing it. */
export function jsonNestsDeeper(json: string, levels: number): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === QUOTE) inString = !inString
    else if (code === BACKSLASH && inString) index += 1
    else if (!inString && (code === OPEN_LIST || code === OPEN_OBJECT)) {
      depth += 1
      if (depth > levels) return true
    } else if (!inString && (code === CLOSE_LIST || code === CLOSE_OBJECT)) depth -= 1
  }
  return false
}

const QUOTE = 0x22
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
