import { ArrowDown } from 'lucide-react'
import { useMessages } from '../messages/messages-context.tsx'

export type JumpToLatestProps = { count: number; onJump: () => void }

/** Leads back to the newest, and says how much is new there. */
export function JumpToLatest({ count, onJump }: JumpToLatestProps) {
  const { thread } = useMessages()
  return (
    <button
      type="button"
      onClick={onJump}
      className="enter absolute bottom-3 left-1/2 z-10 inline-flex h-control -translate-x-1/2 items-center gap-2 rounded-full border border-line-strong bg-raised px-3.5 text-sm text-muted shadow-raised transition hover:text-ink"
    >
      <ArrowDown aria-hidden size={15} />
      {count > 0 ? thread.newMessages(count) : thread.jumpToLatest}
    </button>
  )
}
