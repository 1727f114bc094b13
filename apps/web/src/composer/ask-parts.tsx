import { lazyModule, useLazy } from '@palimpsest/ui'
import type { AskPanelProps } from './ask-panel.tsx'

/** What a run asks of the person; loaded once it does. */
export const askParts = lazyModule(() => import('./ask-panel.tsx'))

export function AskPanel(props: AskPanelProps) {
  const { permissions, questions } = props.state.asks
  const parts = useLazy(askParts, permissions.length + questions.length > 0)
  return parts && <parts.AskPanel {...props} />
}
