import { lazyModule, useLazy } from '@palimpsest/ui'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'

const watch = lazyModule(async () => {
  const [{ AttentionWatch }, { WaitingEntry }] = await Promise.all([
    import('./attention-watch.tsx'),
    import('./waiting-entry.tsx'),
  ])
  return { AttentionWatch, WaitingEntry }
})

/** What tells that a chat waits, or that a long reply has ended; loaded once any chat does something. */
export function AttentionWatch() {
  const parts = useLazy(watch, Object.keys(useStore(useApp().chats).statuses).length > 0)
  return parts && <parts.AttentionWatch />
}

export function WaitingEntry(props: { onOpen: () => void }) {
  const parts = useLazy(watch, false)
  return parts && <parts.WaitingEntry {...props} />
}
