import { TriangleAlert } from 'lucide-react'
import { useMessages } from '../messages/messages-context.tsx'

/** At a reply whose system prompt does not hold all instructions of the project. */
export function CutNote({ paths }: { paths: readonly string[] }) {
  const { message } = useMessages()
  return (
    <p className="flex items-baseline gap-x-1.5 py-1 text-xs text-muted">
      <TriangleAlert aria-hidden size={13} className="shrink-0 translate-y-0.5" />
      <span className="min-w-0 wrap-anywhere">{message.instructionsCut(paths.join(', '))}</span>
    </p>
  )
}
