import type { IncomingHttpHeaders } from 'node:http'

type Range = { start: number; end: number }

/** One range: `bytes=0-99`, `bytes=100-` or `bytes=-100`. Several are answered with the whole, as HTTP allows. */
const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * The bytes that a request asks for, without `end`: null for all, `unsatisfiable` when none of them exist. A range that
 * is conditional on another version asks for all.
 */
export function byteRange(
  headers: IncomingHttpHeaders,
  { size, tag }: { size: number; tag: string },
): Range | 'unsatisfiable' | null {
  const [, first = '', last = ''] = ONE_RANGE.exec(headers.range ?? '') ?? []
  const condition = headers['if-range']
  if (first === '' && last === '') return null
  if (condition !== undefined && condition !== tag) return null
  if (first === '')
    return size === 0 || Number(last) === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, size - Number(last)), end: size }
  const start = Number(first)
  const end = last === '' ? size : Math.min(size, Number(last) + 1)
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end }
}
