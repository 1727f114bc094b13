import { useMessages } from '../messages/messages-context.tsx'

/** Marks the model that only demonstrates. */
export function DemoBadge() {
  const { models } = useMessages()
  return (
    <span className="shrink-0 rounded-xs border border-line px-1 text-2xs leading-snug text-muted">
      {models.demo}
    </span>
  )
}
