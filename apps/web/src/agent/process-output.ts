/** Characters of a command's output that are shown: the last ones. */
export const SHOWN_CHARACTERS = 20_000

/** The end of an output, of `length` characters in all. */
export type OutputTail = { text: string; length: number }

export const NO_OUTPUT: OutputTail = { text: '', length: 0 }

/** What is shown once another piece has come, which begins at the character `from`. */
export function addOutput(
  tail: OutputTail,
  piece: { text: string; from: number; length: number },
): OutputTail {
  // What was dropped between the two, or read twice, is not joined.
  const before = piece.from === tail.length ? tail.text : ''
  const text = `${before}${piece.text}`
  const cut = text.slice(-SHOWN_CHARACTERS)
  // A pair that is cut in half shows as two unknown characters.
  return { text: /^[\udc00-\udfff]/.test(cut) ? cut.slice(1) : cut, length: piece.length }
}
