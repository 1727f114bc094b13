/** A text in a simpler form; `starts[i]` is where in the original what character `i` replaces begins, and at the end where it ends. */
export type MappedText = { text: string; starts: readonly number[] }

/** A piece of a text, from one place up to another. */
export type Span = { start: number; end: number }

/** Simplifies what `tokens` finds, a global expression; `simpler` returns the text in its place. */
export function mapText(original: string, tokens: RegExp, simpler: (token: string) => string): MappedText {
  const pieces: string[] = []
  const starts: number[] = []
  let from = 0
  const keep = (until: number) => {
    pieces.push(original.slice(from, until))
    for (let index = from; index < until; index++) starts.push(index)
  }
  for (const { 0: token, index } of original.matchAll(tokens)) {
    keep(index)
    const text = simpler(token)
    pieces.push(text)
    for (const _ of text) starts.push(index)
    from = index + token.length
    // What is left out at the very end ends before it.
    if (text === '' && from === original.length) {
      starts.push(index)
      return { text: pieces.join(''), starts }
    }
  }
  keep(original.length)
  starts.push(original.length)
  return { text: pieces.join(''), starts }
}

/** Where a text occurs, overlaps included. */
export function occurrences(text: string, wanted: string): Span[] {
  const found: Span[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1))
    found.push({ start: at, end: at + wanted.length })
  return found
}

/** Where in the original a text occurs in its simpler form; an occurrence that ends within what one character became is none. */
export function mappedOccurrences({ text, starts }: MappedText, wanted: string): Span[] {
  return occurrences(text, wanted).flatMap(({ start, end }) => {
    const isWhole = starts[start] !== starts[start - 1] && starts[end] !== starts[end - 1]
    const [from, to] = [starts[start], starts[end]]
    return isWhole && from !== undefined && to !== undefined ? [{ start: from, end: to }] : []
  })
}
