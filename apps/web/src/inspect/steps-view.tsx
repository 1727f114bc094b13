import type { InspectedMessage } from '@palimpsest/core/domain'
import { useFormat, visibleWords } from '@palimpsest/ui'
import { inspectWords as words } from '../words/en-inspect.ts'
import { InspectedList } from './inspected-list.tsx'
import { ReplyCard } from './reply-card.tsx'
import { useInspectedMessages } from './use-inspection.ts'

/** The timeline: what was said, and the steps of each reply. */
export function StepsView({ sessionId }: { sessionId: string }) {
  return (
    <InspectedList list={useInspectedMessages(sessionId)}>
      {(messages) => (
        <ol aria-label={words.views.steps} className="space-y-4">
          {messages.map((message) => (
            <li key={message.id}>
              {message.role === 'assistant' ? (
                <ReplyCard sessionId={sessionId} message={message} />
              ) : (
                <Said message={message} />
              )}
            </li>
          ))}
        </ol>
      )}
    </InspectedList>
  )
}

function Said({ message: { text, createdAt, hidden } }: { message: InspectedMessage }) {
  const format = useFormat()
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 pt-2">
      <span className="text-sm text-muted">
        {[words.you, format.moment(createdAt, Date.now()), ...(hidden ? [words.hidden] : [])].join(' · ')}
      </span>
      <p dir="auto" className="line-clamp-2 min-w-0 grow basis-60 font-medium wrap-anywhere">
        {visibleWords(text)}
      </p>
    </div>
  )
}
