const UNIT_MS = { ms: 1, s: 1000, m: 60_000 } as const

/**
 * Milliseconds that a provider asks to wait, from its headers (`retry-after-ms`; `retry-after` in seconds or as an HTTP
 * date) or, where it only says so in words, from the text of the error ("try again in 1.5s", Google's `retryDelay`).
 * Undefined when it asks nothing. `now` is in epoch milliseconds.
 */
export function retryAfter(headers: Record<string, string>, text: string, now: number): number | undefined {
  return (
    milliseconds(headers['retry-after-ms'], 1) ??
    milliseconds(headers['retry-after'], 1000) ??
    untilDate(headers['retry-after'], now) ??
    inWords(text)
  )
}

function milliseconds(value: string | undefined, unit: number): number | undefined {
  if (value === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined
  return Math.ceil(Number(value) * unit)
}

function untilDate(value: string | undefined, now: number): number | undefined {
  // Date.parse takes a bare negative number for a year; an HTTP date names its day.
  if (value === undefined || !/[A-Za-z]{3}/.test(value)) return undefined
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

function inWords(text: string): number | undefined {
  const said = /(?:try again in |"retryDelay":\s*")(?:(\d+)m(?=\d))?(\d+(?:\.\d+)?)(ms|s|m)\b/i.exec(text)
  const unit = said?.[3]?.toLowerCase()
  if (unit !== 'ms' && unit !== 's' && unit !== 'm') return undefined
  return Math.ceil(Number(said?.[1] ?? 0) * UNIT_MS.m + Number(said?.[2]) * UNIT_MS[unit])
}
