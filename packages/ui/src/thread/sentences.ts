/** Where the last whole sentence or line of a text ends; 0 when none has ended. */
export function lastSentenceEnd(text: string): number {
  const ends = [...text.matchAll(/[.!?…。！？]["'”’)\]]*\s|\n/g)]
  const last = ends.at(-1)
  return last ? last.index + last[0].length : 0
}

/** Markdown without its marks, in one line: for the ear, and for previews. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*[#>*+-]+\s+/gm, '')
    .replace(/[*`~|]+|(?<!\w)_+|_+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
