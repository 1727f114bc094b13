import { isNestedBeyond } from './nesting.ts'

/** How deep stored JSON may be nested to be read: deeper than anything is written, and safe for code that recurses. */
const READABLE_NESTING = 512

/** The value of a JSON text; undefined when it is none, or nested deeper than `nesting`. */
export function parseBounded(json: string, nesting = READABLE_NESTING): unknown {
  try {
    const value: unknown = JSON.parse(json)
    return isNestedBeyond(value, nesting) ? undefined : value
  } catch {
    return undefined
  }
}
