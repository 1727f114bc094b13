import { CONTENT_KINDS, type ContentKind, type WindowContent } from '@palimpsest/core/domain'

export type ContentRow = { kind: ContentKind | 'writing'; tokens: number }

/**
 * What a window of `used` tokens is made of; kinds that it has nothing of are left out, and all rows add up to `used`.
 * The kinds are counted less often than the whole: what has come since is the reply that is being written, if one is
 * (`writing`), and else the kinds share the difference.
 */
export function contentRows(content: WindowContent, used: number, writing: boolean): ContentRow[] {
  const counted = CONTENT_KINDS.reduce((sum, kind) => sum + content[kind], 0)
  const known = counted === 0 ? 0 : writing ? Math.min(counted, used) : used
  let before = 0
  const rows: ContentRow[] = CONTENT_KINDS.map((kind) => {
    const upTo = (tokens: number) => (counted === 0 ? 0 : Math.floor((tokens * known) / counted))
    const from = before
    before += content[kind]
    return { kind, tokens: upTo(before) - upTo(from) }
  })
  return [...rows, { kind: 'writing' as const, tokens: used - known }].filter(({ tokens }) => tokens > 0)
}
