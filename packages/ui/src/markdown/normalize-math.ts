const FENCE =
  /(?:^|\n)[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(?<fence>`{3,}|~{3,})[\s\S]*?(?:\n[ \t>]*\k<fence>|$)/
const SPAN = /(?<tick>`+)(?!`)[^\n]*?(?<!`)\k<tick>(?!`)/
const CODE = new RegExp(`${FENCE.source}|${SPAN.source}`, 'g')
const LINE = /^([ \t]*)\$\$([^\n$]+)\$\$[ \t]*$/gm
const DISPLAY = /\\\[([\s\S]+?)\\\]/g
const INLINE = /\\\(([^\n]+?)\\\)/g

/**
 * Writes TeX between `\[ \]` and `\( \)` as `$$ $$`, outside of code; what has a line to itself between `$$ $$` is set
 * apart, as models mean it.
 */
export function normalizeMath(text: string): string {
  if (!['\\(', '\\[', '$$'].some((mark) => text.includes(mark))) return text
  let written = ''
  let from = 0
  for (const { 0: code, index } of text.matchAll(CODE)) {
    written += convert(text.slice(from, index)) + code
    from = index + code.length
  }
  return written + convert(text.slice(from))
}

function convert(piece: string): string {
  return piece
    .replace(LINE, (_, indent: string, tex: string) => `${indent}$$\n${indent}${tex.trim()}\n${indent}$$`)
    .replace(DISPLAY, (_, tex: string) => `\n$$\n${tex.trim()}\n$$\n`)
    .replace(INLINE, (_, tex: string) => `$$${tex.trim()}$$`)
}
