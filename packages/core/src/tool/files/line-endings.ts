const ENDINGS = /\r\n|\r|\n/g

/** The ending of the lines of a text: the only one that it has, or null when it has none or several. */
export function endingOf(text: string): string | null {
  const found = new Set(text.match(ENDINGS))
  const [only] = found
  return found.size === 1 && only !== undefined ? only : null
}

/** The text with line feeds as another ending. A text that has other endings of its own is left as it is. */
export function withEnding(text: string, ending: string | null): string {
  return ending === null || ending === '\n' || text.includes('\r')
    ? text
    : text.replaceAll('\n', () => ending)
}
