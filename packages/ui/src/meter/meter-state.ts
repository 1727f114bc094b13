import type { ContextWindow } from '@palimpsest/core/domain'

export type MeterLevel = 'unknown' | 'calm' | 'high' | 'full'

/** How a window looks: the share of the limit that is used (0 to 1, null when unknown) and its level. */
export type MeterState = { share: number | null; level: MeterLevel }

const HIGH = 0.7
const FULL = 0.9

export function meterState({ used, limit }: ContextWindow): MeterState {
  if (limit === null || limit <= 0) return { share: null, level: 'unknown' }
  const share = Math.min(1, used / limit)
  return {
    share,
    level: share >= FULL ? 'full' : share >= HIGH ? 'high' : 'calm',
  }
}

/** The window with a limit that is a number of tokens, or none: some providers report 0 where they know none. */
export function withKnownLimit(window: ContextWindow): ContextWindow {
  return window.limit !== null && window.limit > 0 ? window : { ...window, limit: null, usable: null }
}
