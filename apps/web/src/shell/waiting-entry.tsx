import { BellDot } from 'lucide-react'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { attentionWords as words } from '../words/en-attention.ts'
import { useWaiting } from './use-waiting.ts'

/** The way to the list of what waits for the person; there only while a chat other than the shown one does. */
export function WaitingEntry({ onOpen }: { onOpen: () => void }) {
  const { attention, router } = useApp()
  const { sessionId } = useStore(router)
  const waiting = useWaiting()
  if (!waiting.some(({ opens }) => opens !== sessionId)) return null
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={words.waitingCount(waiting.length)}
      onClick={() => {
        onOpen()
        attention.listOpen.set(true)
      }}
      className="flex h-control w-full items-center gap-2.5 rounded-md bg-caution-wash px-2.5 text-left font-medium transition hover:brightness-95"
    >
      <BellDot aria-hidden size={16} className="text-caution" />
      <span className="min-w-0 grow truncate">{words.waiting}</span>
      <span className="text-sm text-muted tabular-nums">{waiting.length}</span>
    </button>
  )
}
