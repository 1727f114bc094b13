/** The marks that the server sets around a hit. */
const HIT_START = '\u0002'
const HIT_END = '\u0003'
/** Characters that a narrow line shows before a hit. */
const LEAD = 16

/** The text around a hit without the server's marks, cut so that the hit is near its beginning. */
export function foundText(snippet: string): { text: string; hit: string } {
  const [before = '', ...rest] = snippet.split(HIT_START)
  const [hit = ''] = rest[0]?.split(HIT_END) ?? []
  if (rest.length === 0) return { text: before, hit }
  return { text: `${nearEnd(before)}${rest.join('').replaceAll(HIT_END, '')}`, hit }
}

function nearEnd(text: string): string {
  if (text.length <= LEAD) return text
  const near = [...text.slice(-2 * LEAD)].slice(-LEAD).join('').toWellFormed()
  return `…${near.slice(near.indexOf(' ') + 1)}`
}
