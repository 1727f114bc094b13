import type { ContextWindow, SessionUsage, WindowContent } from '@palimpsest/core/domain'
import type { ReactNode } from 'react'

export type ContextMeterProps = {
  contextWindow: ContextWindow
  /** What the session has used, and what that cost where it is known. */
  usage: SessionUsage
  /** Tokens by kind of content, once they are known. */
  content?: WindowContent | null
  /** True while a reply is running: the window grows before its content is counted again. */
  writing?: boolean
  /** Called when the breakdown opens and closes. */
  onOpenChange?: (open: boolean) => void
  /** Actions under the breakdown; `close` closes it. */
  actions?: (close: () => void) => ReactNode
}
