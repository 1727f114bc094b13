/** Characters of a text whose marks are looked for. */
const MOST_CHARACTERS = 50_000

/** Markdown as its words in their lines, for a moment in which nothing can draw it: code keeps its own signs. */
export function withoutMarks(markdown: string): string {
  if (markdown.length > MOST_CHARACTERS) return markdown
  return markdown
    .split(/^ {0,3}(?:```|~~~).*$/m)
    .map((piece, at) => (at % 2 === 0 ? proseOf(piece) : piece))
    .join('')
    .trim()
}

function proseOf(text: string): string {
  return text
    .replace(/^[ \t]*(?:\|[ \t]*)?:?-{3,}.*$\n?/gm, '')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+](?:[ \t]+\[[ xX]\])?)[ \t]+/gm, '')
    .replace(/!?\[([^[\]\n]{0,500})\]\([^()\n]{0,2000}\)/g, '$1')
    .replace(/[`|]+|(?<! )\*+|(?<!\*)\*+(?! )|~~|(?<!\w)_+|(?<!_)_+(?!\w)/g, '')
}
