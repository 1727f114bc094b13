import { lazyModule, markdownRenderer, SentWords, ThreadSkeleton, useLazy, whenLoaded } from '@palimpsest/ui'
import { outgoingMessages } from '../../session/outgoing.ts'
import type { ThreadPanelProps } from '../../thread/thread-panel.tsx'
import type { EditorPanelProps } from '../rewind/editor-panel.tsx'
import type { ForkSwitchProps } from '../versions/fork-switch.tsx'
import type { SummaryDividerProps } from './summary-divider.tsx'

/** What a session with messages needs and a new chat does not. It comes together, so that nothing in a thread joins later. */
export const threadParts = lazyModule(async () => {
  const [ThreadPanel, EditorPanel, ForkSwitch, SummaryDivider] = await Promise.all([
    import('../../thread/thread-panel.tsx').then((module) => module.ThreadPanel),
    import('../rewind/editor-panel.tsx').then((module) => module.EditorPanel),
    import('../versions/fork-switch.tsx').then((module) => module.ForkSwitch),
    import('./summary-divider.tsx').then((module) => module.SummaryDivider),
    whenLoaded(markdownRenderer),
  ])
  return { ThreadPanel, EditorPanel, ForkSwitch, SummaryDivider }
})

export function ThreadPanel(props: ThreadPanelProps) {
  const parts = useLazy(threadParts)
  if (parts !== null) return <parts.ThreadPanel {...props} />
  const { outgoing, messages } = props.state
  const sent = [...messages, ...outgoingMessages(outgoing)]
  // A person's own words are shown at once; replies need what is being loaded.
  const isSaid = sent.length > 0 && sent.every(({ role }) => role === 'user')
  return isSaid ? <SentWords messages={sent} /> : <ThreadSkeleton />
}

export function EditorPanel(props: EditorPanelProps) {
  const parts = useLazy(threadParts)
  return parts && <parts.EditorPanel {...props} />
}

export function ForkSwitch(props: ForkSwitchProps) {
  const parts = useLazy(threadParts)
  return parts && <parts.ForkSwitch {...props} />
}

export function SummaryDivider(props: SummaryDividerProps) {
  const parts = useLazy(threadParts)
  return parts && <parts.SummaryDivider {...props} />
}
