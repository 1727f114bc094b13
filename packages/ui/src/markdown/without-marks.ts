/** Markdown as its words in their lines, for a moment in which nothing can draw it: code keeps its own signs. */
export function withoutMarks(markdown: string): string {
  return markdown
    .split(/^ {0,3}(?:```|~~~).*$/m)
    .map((piece, at) => (at % 2 === 0 ? proseOf(piece) : piece))
    .join('')
    .trim()
}

function proseOf(text: string): string {
  return text
    .replace(/^[ \t]*\|?[ \t]*:?-{3,}.*$\n?/gm, '')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+](?:[ \t]+\[[ xX]\])?)[ \t]+/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`|]+|(?<! )\*+|\*+(?! )|~~|(?<!\w)_+|_+(?!\w)/g, '')
}
