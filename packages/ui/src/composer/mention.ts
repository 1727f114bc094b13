/** What is being mentioned: the characters after an `@`, which is at `start` of the text and ends at the caret. */
export type Mention = { start: number; query: string }

/** Characters of a mention that is still looked for. */
const LONGEST = 200

/** The mention that ends at the caret: an `@` at the start or after a blank, and no blank since. Null where there is none. */
export function mentionAt(value: string, caret: number): Mention | null {
  const before = value.slice(Math.max(0, caret - LONGEST - 2), caret)
  const query = /(?:^|\s)@([^\s@]*)$/u.exec(before)?.[1]
  return query === undefined || query.length > LONGEST ? null : { start: caret - query.length - 1, query }
}

/** The text with what is mentioned in the place of what was typed of it, and the caret behind it. */
export function insertMention(
  value: string,
  { start, query }: Mention,
  path: string,
): { value: string; caret: number } {
  const written = `${/\s/u.test(path) ? `@"${path}"` : `@${path}`} `
  const rest = value.slice(start + 1 + query.length)
  return {
    value: `${value.slice(0, start)}${written}${rest.replace(/^ /, '')}`,
    caret: start + written.length,
  }
}
