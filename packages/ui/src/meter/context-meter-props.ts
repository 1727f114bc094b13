import type { ContextWindow, SessionUsage, WindowContent } from '@palimpsest/core/domain'
import type { ReactNode } from 'react'

export type ContextMeterProps = {
  contextWindow: ContextWindow
  /** What the session has used, and what that cost where it is known. */
  usage: SessionUsage
  /** What the window is made of, once that is known. */
  content?: WindowContent | null
  /** True while a reply is being written: the window grows before its content is counted again. */
  writing?: boolean
  /** Told when the breakdown opens and closes. */
  onOpenChange?: (open: boolean) => void
  /** Ways to make room, under the breakdown; `close` closes it. */
  actions?: (close: () => void) => ReactNode
}
