import { useId } from 'react'
import { ExactLines, ExactPieces, type Open } from '../exact/exact-lines.tsx'
import { exactPieces } from '../exact/exact-pieces.ts'
import type { ShownLine } from '../exact/shown-lines.ts'
import { visibleText } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'

export type PatternChoiceProps = {
  chosen: string
  busy: boolean
  onChoose: (pattern: string) => void
}

/** What a reply for the chat or the project allows from then on: a sentence, or short patterns to choose from. */
export function PatternChoice({
  patterns,
  chosen,
  busy,
  onChoose,
}: PatternChoiceProps & { patterns: readonly string[] }) {
  const { ask } = useMessages()
  const name = useId()
  if (patterns.length === 1)
    return <p className="exact text-xs text-muted">{ask.only(visibleText(chosen))}</p>
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 text-sm" disabled={busy}>
      <legend className="float-left mr-4 text-xs text-muted">{ask.lasting}</legend>
      {patterns.map((one) => (
        <label key={one} className="inline-flex min-w-0 items-center gap-1.5 coarse:min-h-11">
          <input
            type="radio"
            className="accent-ink"
            name={name}
            aria-label={visibleText(one)}
            checked={one === chosen}
            onChange={() => onChoose(one)}
          />
          <span className="exact font-code text-xs">
            <ExactPieces pieces={exactPieces(one)} />
          </span>
        </label>
      ))}
    </fieldset>
  )
}

export type LongPatternsProps = PatternChoiceProps & {
  patterns: readonly { pattern: string; lines: readonly ShownLine[] }[]
  onOpen: Open
}

/** The same for long patterns, each whole or folded as the rest of the card. */
export function LongPatterns({ patterns, chosen, busy, onChoose, onOpen }: LongPatternsProps) {
  const { ask } = useMessages()
  const name = useId()
  return (
    <fieldset className="space-y-1.5" disabled={busy}>
      <legend className="pb-1 text-xs text-muted">{ask.lasting}</legend>
      {patterns.map(({ pattern, lines }) => (
        <div key={pattern} className="flex items-start gap-2">
          {patterns.length > 1 && (
            <input
              type="radio"
              className="mt-2 accent-ink coarse:size-5"
              aria-label={visibleText(pattern)}
              name={name}
              checked={pattern === chosen}
              onChange={() => onChoose(pattern)}
            />
          )}
          <div className="exact min-w-0 grow rounded-md border border-line px-2.5 py-1.5 font-code text-xs leading-snug">
            <ExactLines lines={lines} onOpen={onOpen} />
          </div>
        </div>
      ))}
    </fieldset>
  )
}
