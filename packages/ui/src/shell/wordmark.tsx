import { useMessages } from '../messages/messages-context.tsx'

/** The name with the mark: a page on which an earlier text still shows. */
export function Wordmark() {
  const { app } = useMessages()
  return (
    <span className="inline-flex items-center gap-2 text-ink">
      <Mark size={20} />
      <span className="font-text text-lg font-medium tracking-tight">{app.name}</span>
    </span>
  )
}

/** Lines across lines: the leaf was turned before it was written on again, as scribes did. */
export function Mark({ size }: { size: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24" fill="none" strokeLinecap="round">
      <path d="M7 3.5v17M12 3.5v17M17 3.5v17" stroke="currentColor" strokeOpacity=".2" strokeWidth="1.75" />
      <path d="M3.5 7h17" stroke="var(--rubric)" strokeWidth="2.25" />
      <path d="M3.5 12h17M3.5 17h10" stroke="currentColor" strokeWidth="2.25" />
    </svg>
  )
}
