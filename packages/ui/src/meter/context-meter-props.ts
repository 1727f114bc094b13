import type { ContextWindow, SessionUsage } from '@palimpsest/core/domain'
import type { ReactNode } from 'react'

export type ContextMeterProps = {
  contextWindow: ContextWindow
  /** What the session has used, and what that cost where it is known. */
  usage: Omit<SessionUsage, 'costUsd'> & { costUsd: number | null }
  /** Ways to make room, under the breakdown; `close` closes it. */
  actions?: (close: () => void) => ReactNode
}
