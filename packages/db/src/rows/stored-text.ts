/** The text of a column; empty where the column holds something else, as it may after a disk error. */
export function toText(value: string): string {
  const held: unknown = value
  return typeof held === 'string' ? held : ''
}

/** The same of a column that may hold nothing. */
export function toOptionalText(value: string | null): string | null {
  const held: unknown = value
  return typeof held === 'string' ? held : null
}
