import type { ChatPart } from '@palimpsest/core/domain'
import { BookOpen, Globe } from 'lucide-react'
import { visibleWords } from '../exact/visible-text.ts'
import { SafeLink } from '../markdown/safe-link.tsx'
import { useMessages } from '../messages/messages-context.tsx'

type SourcePart = Extract<ChatPart, { type: 'source-url' | 'source-document' }>

/** What a reply rests on, as a row of links. */
export function SourceParts({ parts }: { parts: readonly SourcePart[] }) {
  const { message } = useMessages()
  return (
    <ul aria-label={message.source} className="flex flex-wrap gap-1.5">
      {parts.map((part) => (
        <li
          key={part.sourceId}
          className="inline-flex h-7 max-w-56 items-center gap-1.5 rounded-md border border-line px-2 text-xs text-muted"
        >
          {part.type === 'source-url' ? <Globe aria-hidden size={13} /> : <BookOpen aria-hidden size={13} />}
          <span className="truncate">
            {part.type === 'source-url' ? (
              <SafeLink href={part.url}>{visibleWords(part.title ?? hostOf(part.url))}</SafeLink>
            ) : (
              visibleWords(part.title)
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname || url
}
