import type { HeavyMessage } from '@palimpsest/core/domain'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'

export type HeaviestListProps = {
  heaviest: readonly HeavyMessage[]
  onLeaveOut: (messageId: string) => void
}

/** The messages that take the most of the window, each with a way to leave it out. */
export function HeaviestList({ heaviest, onLeaveOut }: HeaviestListProps) {
  const { meter, message } = useMessages()
  const format = useFormat()
  return (
    <section className="border-line border-t pt-2">
      <h3 className="text-xs font-medium text-faint">{meter.heaviest}</h3>
      <ol>
        {heaviest.map(({ messageId, role, text, tokens }) => (
          <li key={messageId} className="flex items-center gap-2">
            <span className="min-w-0 grow truncate text-sm" dir="auto" title={text}>
              <span className="text-muted">{meter.by[role]} </span>
              {text || message.unnamedFile}
            </span>
            <span className="shrink-0 text-xs text-muted tabular-nums">{`≈ ${format.tokens(tokens)}`}</span>
            <Button
              small
              variant="quiet"
              className="-mr-2.5"
              aria-label={meter.leaveOutOf(text || message.unnamedFile)}
              onClick={() => onLeaveOut(messageId)}
            >
              {meter.leaveOut}
            </Button>
          </li>
        ))}
      </ol>
    </section>
  )
}
