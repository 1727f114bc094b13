import type { ContextWindow } from '@palimpsest/core/domain'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import type { ContentRow } from './content-rows.ts'

const COLOUR: Record<ContentRow['kind'], string> = {
  instructions: 'var(--kind-instructions)',
  summary: 'var(--rubric)',
  prompts: 'var(--kind-prompts)',
  replies: 'var(--kind-replies)',
  reasoning: 'var(--kind-reasoning)',
  tools: 'var(--kind-tools)',
  files: 'var(--kind-files)',
  writing: 'var(--kind-writing)',
}

/** The window as one bar by kind of content, of all that it can hold where that is known, with a legend. */
export function ContentBar({ rows, window }: { rows: readonly ContentRow[]; window: ContextWindow }) {
  const { meter } = useMessages()
  const format = useFormat()
  const { used, limit, usable } = window
  const whole = Math.max(limit ?? used, used, 1)
  const reserve = limit === null || usable === null ? 0 : Math.max(0, limit - Math.max(usable, used))
  return (
    <>
      <div aria-hidden className="flex h-2 gap-px overflow-hidden rounded-full bg-wash-strong">
        {rows.map(({ kind, tokens }) => (
          <span key={kind} style={{ width: `${(100 * tokens) / whole}%`, background: COLOUR[kind] }} />
        ))}
        {reserve > 0 && (
          <span className="ml-auto bg-line-strong" style={{ width: `${(100 * reserve) / whole}%` }} />
        )}
      </div>
      <ul className="flex flex-wrap gap-x-3 gap-y-0.5 pt-2 text-xs text-muted">
        {rows.map(({ kind, tokens }) => (
          <li key={kind} className="inline-flex items-center gap-1.5 tabular-nums">
            <span aria-hidden className="size-2 rounded-full" style={{ background: COLOUR[kind] }} />
            {`${meter.kinds[kind]} ${format.percent(used === 0 ? 0 : tokens / used)}`}
          </li>
        ))}
      </ul>
    </>
  )
}
