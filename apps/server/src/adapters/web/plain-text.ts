const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }
const BLOCK = /^\/?(?:p|div|br|li|tr|h[1-6]|section|article|table|ul|ol|pre|blockquote)\b/i
/** Characters of a page that are read as plain text. */
const MAX_PLAIN = 500_000

/** Where the tag at `open` ends: a comment and an element without a text for readers with what they hold. -1 for no end. */
function closeOf(source: string, open: number, raw: string | undefined): number {
  if (source.startsWith('<!--', open)) {
    const end = source.indexOf('-->', open + 2)
    return end === -1 ? -1 : end + 2
  }
  if (raw === undefined) return source.indexOf('>', open)
  const end = new RegExp(`</${raw}`, 'gi')
  end.lastIndex = open
  return end.exec(source)?.index ?? -1
}

/** The text between the tags, in one pass. */
export function plainText(html: string): string {
  const pieces: string[] = []
  const source = html.slice(0, MAX_PLAIN)
  for (let at = 0; at < source.length; ) {
    const open = source.indexOf('<', at)
    const until = open === -1 ? source.length : open
    pieces.push(source.slice(at, until))
    if (open === -1) break
    const tag = source.slice(open + 1, open + 12)
    const raw = /^(script|style|template|noscript)\b/i.exec(tag)?.[1]
    const close = closeOf(source, open, raw)
    if (close === -1) break
    if (BLOCK.test(tag)) pieces.push('\n')
    at = close + 1
    if (raw !== undefined) at = Math.max(at, source.indexOf('>', close) + 1)
  }
  return pieces
    .join('')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/[ \t]+/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}
