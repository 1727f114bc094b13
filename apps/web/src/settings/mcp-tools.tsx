import type { McpHint, McpToolView } from '@palimpsest/core/domain'
import { visibleText, visibleWords } from '@palimpsest/ui'
import { settingsWords } from '../words/en-settings.ts'

const { mcp: words } = settingsWords

/** The tools of a server with what it says that each may do. Its words are shown as plain text. */
export function McpTools({ tools, open }: { tools: readonly McpToolView[]; open?: boolean }) {
  if (tools.length === 0) return null
  return (
    <details open={open}>
      <summary className="cursor-pointer py-1 text-muted text-sm coarse:py-3">
        {words.tools(tools.length)}
      </summary>
      <dl className="mt-1 space-y-1.5">
        {tools.map(({ id, name, description, hints }) => (
          <div key={id}>
            <dt className="flex flex-wrap items-baseline gap-x-2 text-sm">
              <span className="wrap-anywhere font-code">{visibleText(name)}</span>
              <Hints hints={hints} />
            </dt>
            <dd className="wrap-anywhere text-muted text-sm" dir="auto">
              {visibleWords(description)}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** A server that says nothing of a tool may do anything with it. */
function Hints({ hints }: { hints: readonly McpHint[] }) {
  const shown =
    hints.includes('read-only') || hints.includes('destructive') ? hints : ['writes' as const, ...hints]
  return shown.map((hint) => (
    <span key={hint} className={`text-xs ${hint === 'destructive' ? 'text-danger' : 'text-muted'}`}>
      {words.hints[hint]}
    </span>
  ))
}
