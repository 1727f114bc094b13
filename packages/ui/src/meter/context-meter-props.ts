import type { ContextWindow, SessionUsage } from '@palimpsest/core/domain'
import type { ReactNode } from 'react'

export type ContextMeterProps = {
  contextWindow: ContextWindow
  usage: SessionUsage
  /** Ways to make room, under the breakdown; `close` closes it. */
  actions?: (close: () => void) => ReactNode
}
