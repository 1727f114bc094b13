import { lateArrival, lateModule, markdownRenderer, ThreadSkeleton, useLate } from '@palimpsest/ui'
import type { ThreadPanelProps } from '../thread/thread-panel.tsx'
import type { EditorPanelProps } from './editor-panel.tsx'
import type { ForkSwitchProps } from './fork-switch.tsx'
import type { SummaryDividerProps } from './summary-divider.tsx'

/** What a session with messages needs and a new chat does not. It comes together, so that nothing in a thread joins later. */
export const threadParts = lateModule(async () => {
  const [ThreadPanel, EditorPanel, ForkSwitch, SummaryDivider] = await Promise.all([
    import('../thread/thread-panel.tsx').then((module) => module.ThreadPanel),
    import('./editor-panel.tsx').then((module) => module.EditorPanel),
    import('./fork-switch.tsx').then((module) => module.ForkSwitch),
    import('./summary-divider.tsx').then((module) => module.SummaryDivider),
    lateArrival(markdownRenderer),
  ])
  return { ThreadPanel, EditorPanel, ForkSwitch, SummaryDivider }
})

export function ThreadPanel(props: ThreadPanelProps) {
  const parts = useLate(threadParts)
  return parts === null ? <ThreadSkeleton /> : <parts.ThreadPanel {...props} />
}

export function EditorPanel(props: EditorPanelProps) {
  const parts = useLate(threadParts)
  return parts && <parts.EditorPanel {...props} />
}

export function ForkSwitch(props: ForkSwitchProps) {
  const parts = useLate(threadParts)
  return parts && <parts.ForkSwitch {...props} />
}

export function SummaryDivider(props: SummaryDividerProps) {
  const parts = useLate(threadParts)
  return parts && <parts.SummaryDivider {...props} />
}
