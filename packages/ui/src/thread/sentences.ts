const SENTENCE_END = /[.!?…]["'”’)\]]*\s|[。！？]["'”’）」』)\]]*|\n/g

/** Where the last whole sentence or line of a text ends, before code that still grows; 0 when none has ended. */
export function lastSentenceEnd(text: string): number {
  const fences = [...text.matchAll(/```/g)]
  const grown = fences.length % 2 === 0 ? text.length : fences.at(-1)?.index
  const last = [...text.slice(0, grown).matchAll(SENTENCE_END)].at(-1)
  return last ? last.index + last[0].length : 0
}

/** Characters that are read out or previewed at most. */
const MOST_CHARACTERS = 5_000

/** Markdown without its marks, in one line: for screen readers, and for previews. */
export function plainText(markdown: string): string {
  return markdown
    .slice(0, MOST_CHARACTERS)
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*[#>*+-]+\s+/gm, '')
    .replace(/[*`~|]+|(?<!\w)_+|_+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
