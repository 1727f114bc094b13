/** Combining marks and joiners that one character keeps: more than any script stacks. */
const STACKED = /([\p{M}\u200c\u200d]{16})[\p{M}\u200c\u200d]+/gu

/** A text as it is shown: a character with thousands of combining marks takes a browser minutes to shape. */
export function shortenMarks(text: string): string {
  return text.replace(STACKED, '$1…')
}
