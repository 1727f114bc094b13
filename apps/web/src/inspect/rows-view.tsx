import type { InspectedJson, InspectedRow } from '@palimpsest/core/domain'
import { CopyButton, useFormat, useMessages } from '@palimpsest/ui'
import { inspectWords as words } from '../words/en-inspect.ts'
import { InspectedList } from './inspected-list.tsx'
import { Plain } from './prompt-details.tsx'
import { useInspectedRows } from './use-inspection.ts'

const STUDIO = 'npx pnpm@12 studio'

/** The rows as they are stored, and the way to all tables. */
export function RowsView({ sessionId }: { sessionId: string }) {
  const { app } = useMessages()
  return (
    <>
      <InspectedList list={useInspectedRows(sessionId)}>
        {(rows) => (
          <ul aria-label={words.views.rows}>
            {rows.map((row) => (
              <li key={row.id} className="border-line border-t py-1">
                <Row row={row} />
              </li>
            ))}
          </ul>
        )}
      </InspectedList>
      <section className="space-y-1 pt-4">
        <h3 className="font-medium">{words.studio}</h3>
        <p className="text-muted">{words.studioHint}</p>
        <p className="flex items-center gap-2">
          <code className="rounded-md bg-wash px-2 py-1 font-code text-sm">{STUDIO}</code>
          <CopyButton label={app.copy} copiedLabel={app.copied} text={() => STUDIO} />
        </p>
      </section>
    </>
  )
}

function Row({ row }: { row: InspectedRow }) {
  const format = useFormat()
  const { id, seq, role, createdAt, hiddenAt, hiddenBy, metadata, parts, partsLeftOut } = row
  const facts = [
    seq === null ? words.queued : words.place(seq),
    role,
    format.moment(createdAt, Date.now()),
    ...(hiddenAt === null ? [] : [`${words.hidden} ${hiddenBy ?? ''}`.trim()]),
  ]
  return (
    <details>
      <summary className="cursor-pointer py-1 coarse:py-3">
        {facts.join(' · ')} <span className="font-code text-xs text-muted wrap-anywhere">{id}</span>
      </summary>
      <div className="space-y-3 py-2">
        <Json title={words.metadata} content={metadata} />
        {parts.map((part) => (
          <Json key={part.id} title={words.part(part.index, part.type)} content={part} />
        ))}
        {partsLeftOut > 0 && <p className="text-sm text-caution">{words.partsLeftOut(partsLeftOut)}</p>}
      </div>
    </details>
  )
}

function Json({ title, content: { json, characters } }: { title: string; content: InspectedJson }) {
  return (
    <div>
      <p className="text-sm text-muted">
        {[title, ...(json.length < characters ? [words.cut(json.length, characters)] : [])].join(' · ')}
      </p>
      <Plain text={json} label={title} />
    </div>
  )
}
