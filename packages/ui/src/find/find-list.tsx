import type { MessageLayer } from '@palimpsest/core/domain'
import { useEffect, useRef } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { FindLayer } from './find-layer.tsx'

export type FindMatch = {
  messageId: string
  role: 'user' | 'assistant' | 'system'
  layer: MessageLayer
  /** The text around the match in pieces; every second one is a match. */
  pieces: readonly string[]
}

export type FindListProps = {
  /** In the order of the thread. */
  matches: readonly FindMatch[]
  currentId: string | null
  onSelect: (messageId: string) => void
}

/** The messages that match, each with the words around the match and its layer. */
export function FindList({ matches, currentId, onSelect }: FindListProps) {
  const { find } = useMessages()
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (currentId !== null)
      list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [currentId])
  return (
    <ol
      ref={list}
      aria-label={find.matches}
      className="popup absolute inset-x-0 top-full mx-auto mt-1 max-h-[50vh] max-w-column overflow-y-auto p-1 max-md:rounded-none"
    >
      {matches.map(({ messageId, role, layer, pieces }) => (
        <li key={messageId}>
          <button
            type="button"
            aria-current={messageId === currentId ? true : undefined}
            onClick={() => onSelect(messageId)}
            className={cx(
              'flex w-full items-baseline gap-2 rounded-md px-2.5 py-1.5 text-left text-sm transition hover:bg-wash coarse:min-h-11',
              messageId === currentId && 'bg-wash-strong',
            )}
          >
            <span className="w-11 shrink-0 text-muted text-xs">
              {role === 'user' ? find.you : find.reply}
            </span>
            <span dir="auto" className="min-w-0 grow truncate text-muted">
              {pieces.map((piece, at) =>
                at % 2 === 0 ? (
                  piece
                ) : (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
                  <mark key={at} className="bg-transparent font-medium text-ink">
                    {piece}
                  </mark>
                ),
              )}
            </span>
            <FindLayer layer={layer} />
          </button>
        </li>
      ))}
    </ol>
  )
}
