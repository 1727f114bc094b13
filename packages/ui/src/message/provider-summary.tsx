import { useMessages } from '../messages/messages-context.tsx'

/** One line where a provider summarised the conversation by itself; opens to the summary, unless it is encrypted. */
export function ProviderSummary({ summary }: { summary: string }) {
  const { message } = useMessages()
  if (summary === '') return <p className="py-1 text-muted text-sm">{message.providerSummary}</p>
  return (
    <details className="py-1 text-muted text-sm">
      <summary className="cursor-pointer">{message.providerSummary}</summary>
      <p className="whitespace-pre-wrap py-1 pl-4">{summary}</p>
    </details>
  )
}
