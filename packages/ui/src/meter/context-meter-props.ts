import type { ContextWindow, SessionUsage } from '@palimpsest/core/domain'

export type ContextMeterProps = {
  contextWindow: ContextWindow
  usage: SessionUsage
}
