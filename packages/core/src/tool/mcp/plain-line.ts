/** Control characters, those that are not seen or change the direction of a text, and private ones. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu

/** A text of a stranger as one line of at most so many characters, without characters that nobody sees. */
export function plainLine(text: string, characters: number): string {
  // Cut first: the text may be megabytes.
  const line = text
    .slice(0, characters * 2)
    .toWellFormed()
    .replace(UNSEEN, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= characters ? line : `${line.slice(0, characters - 1).toWellFormed()}…`
}
