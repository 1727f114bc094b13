import { useMessages } from '../messages/messages-context.tsx'

/** The name with the mark: a page on which an earlier line still shows. */
export function Wordmark() {
  const { app } = useMessages()
  return (
    <span className="inline-flex items-center gap-2 text-ink">
      <Mark size={20} />
      <span className="font-text text-lg font-medium tracking-tight">{app.name}</span>
    </span>
  )
}

export function Mark({ size }: { size: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 24 24" fill="none" strokeLinecap="round">
      <path d="M5.5 6.5h13M5.5 11h9" stroke="currentColor" strokeOpacity=".28" strokeWidth="2" />
      <path d="M5.5 15.5c3-6 5.5 2.5 8-1.5s3.500-4.500 5-2" stroke="var(--rubric)" strokeWidth="2" />
      <path d="M5.500 19.500h7" stroke="currentColor" strokeWidth="2" />
    </svg>
  )
}
