/** Writes numbers, dates and amounts as people of one locale read them. */
export type Format = {
  /** Tokens, short: `842`, `12.4k`, `1.2M`. */
  tokens(count: number): string
  /** Tokens in full: `12,412`. */
  count(count: number): string
  /** A share between 0 and 1 as whole percent. */
  percent(share: number): string
  /** US dollars with as many digits as a small amount needs. */
  cost(usd: number): string
  /** Milliseconds, of which the unit stays in the line of its number: `40 ms`, `0.4 s`, `12 s`, `2 min 5 s`. */
  duration(ms: number): string
  /** Bytes: `840 B`, `1.2 MB`. */
  bytes(count: number): string
  /** Epoch milliseconds as a time of day. */
  time(at: number): string
  /** Epoch milliseconds as date and time. */
  dateTime(at: number): string
  /** Epoch milliseconds as short as it is clear at `now`: a time of day, with its day before today, with its year. */
  moment(at: number, now: number): string
  /** Epoch milliseconds as the name of a month, with its year when it is not the year of `now`. */
  month(at: number, now: number): string
}

/** Keeps a number and its unit in one line. */
const NO_BREAK = '\u00a0'

export function createFormat(locale: string): Format {
  const compact = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const whole = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
  })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  const dateTime = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  const dayTime = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  })
  const month = new Intl.DateTimeFormat(locale, { month: 'long' })
  const monthOfYear = new Intl.DateTimeFormat(locale, {
    month: 'long',
    year: 'numeric',
  })

  return {
    tokens(count) {
      if (count < 1_000) return whole.format(Math.round(count))
      if (count < 999_500) return `${compact.format(roundTo(count / 1_000))}k`
      return `${compact.format(roundTo(count / 1_000_000))}M`
    },
    count: (count) => whole.format(count),
    percent: (share) => percent.format(share),
    cost(usd) {
      const digits =
        usd === 0 || usd >= 1 ? 2 : usd >= 0.01 ? 3 : Math.max(4, 1 - Math.floor(Math.log10(usd)))
      const options = {
        style: 'currency',
        currency: 'USD',
        currencyDisplay: 'narrowSymbol',
      } as const
      return new Intl.NumberFormat(locale, {
        ...options,
        minimumFractionDigits: 2,
        maximumFractionDigits: digits,
      }).format(usd)
    },
    duration(ms) {
      if (ms < 95) return `${whole.format(Math.max(1, Math.round(ms)))}${NO_BREAK}ms`
      const seconds = ms / 1_000
      if (seconds < 10) return `${compact.format(roundTo(seconds))} s`
      if (seconds < 59.5) return `${whole.format(Math.round(seconds))} s`
      const rounded = Math.round(seconds)
      const rest = rounded % 60
      return rest === 0 ? `${Math.floor(rounded / 60)} min` : `${Math.floor(rounded / 60)} min ${rest} s`
    },
    bytes(count) {
      if (count < 1_000) return `${whole.format(count)} B`
      if (count < 999_500) return `${compact.format(roundTo(count / 1_000))} kB`
      return `${compact.format(roundTo(count / 1_000_000))} MB`
    },
    time: (at) => time.format(at),
    dateTime: (at) => dateTime.format(at),
    moment(at, now) {
      const [then, today] = [new Date(at), new Date(now)]
      if (then.toDateString() === today.toDateString()) return time.format(at)
      return (sameYear(at, now) ? dayTime : dateTime).format(at)
    },
    month(at, now) {
      return (sameYear(at, now) ? month : monthOfYear).format(at)
    },
  }
}

function sameYear(at: number, now: number): boolean {
  return new Date(at).getFullYear() === new Date(now).getFullYear()
}

function roundTo(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 10) / 10
}
