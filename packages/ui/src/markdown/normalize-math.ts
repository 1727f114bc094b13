const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/
const DISPLAY = /\\\[([\s\S]+?)\\\]/g
const INLINE = /\\\(([^\n]+?)\\\)/g

/** Writes TeX between `\[ \]` and `\( \)` as `$$ $$`, outside of code. */
export function normalizeMath(text: string): string {
  if (!text.includes('\\(') && !text.includes('\\[')) return text
  return text
    .split(CODE)
    .map((piece, at) => (at % 2 === 1 ? piece : convert(piece)))
    .join('')
}

function convert(piece: string): string {
  return piece
    .replace(DISPLAY, (_, tex: string) => `\n$$\n${tex.trim()}\n$$\n`)
    .replace(INLINE, (_, tex: string) => `$$${tex.trim()}$$`)
}
