import type { HookView } from '@palimpsest/core/domain'
import { useFormat, visibleText, visibleWords } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { LoadFailed } from '../agent/load-failed.tsx'
import { useApp } from '../stores/app-context.tsx'
import { settingsWords } from '../words/en-settings.ts'

const { hooks: words } = settingsWords

const EXAMPLE = `"hooks": [
  {
    "event": "tool.before",
    "command": ["node", "hooks/no-releases.mjs"],
    "tools": ["bash"],
    "required": true,
    "timeout": 2000
  }
]`

/** The hooks of the configuration in declared order, how each has done, and how one is added. */
export function HooksSection() {
  const { client } = useApp()
  const { data, error, refetch } = useQuery({
    queryKey: ['hooks'],
    refetchOnMount: 'always',
    queryFn: async () => (await client().hook.list.query()).items,
  })
  const { data: system } = useQuery({ queryKey: ['system'], queryFn: () => client().system.info.query() })
  if (data === undefined)
    return error ? (
      <LoadFailed error={error} onRetry={() => void refetch()} />
    ) : (
      <p role="status">{words.loading}</p>
    )
  return (
    <div className="space-y-6">
      <p className="text-muted">{words.lead}</p>
      {data.length === 0 ? (
        <p>{words.empty}</p>
      ) : (
        <ol aria-label={words.list} className="space-y-3">
          {data.map((hook) => (
            <li key={hook.name}>
              <HookCard hook={hook} />
            </li>
          ))}
        </ol>
      )}
      <section aria-label={words.add} className="space-y-2">
        <h3 className="font-medium">{words.add}</h3>
        {system && <p className="text-muted">{words.addHint(system.setup.configFile)}</p>}
        <pre className="rounded-md bg-wash px-3 py-2 font-code text-xs whitespace-pre-wrap wrap-anywhere">
          {EXAMPLE}
        </pre>
      </section>
    </div>
  )
}

function HookCard({ hook }: { hook: HookView }) {
  const format = useFormat()
  const { name, event, kind, source, required, timeoutMs, tools, runs, failures, blocks, last } = hook
  const { lastFailure, lastBlock } = hook
  const when = (at: number) => format.moment(at, Date.now())
  const facts = [
    words.kinds[kind],
    required ? words.required : words.optional,
    words.limit(format.duration(timeoutMs)),
    ...(tools === null ? [] : [words.tools(tools.join(', '))]),
  ]
  return (
    <article aria-label={name} className="space-y-1 rounded-lg border border-line px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-medium wrap-anywhere">{visibleText(name)}</h3>
        <code className="font-code text-sm">{event}</code>
      </div>
      <p className="font-code text-sm wrap-anywhere">{visibleText(source)}</p>
      <p className="text-sm text-muted wrap-anywhere">{facts.join(' · ')}</p>
      <p className="text-sm text-muted">
        {last === null
          ? words.neverRun
          : `${words.runs(runs, blocks, failures)} · ${words.last(words.outcomes[last.type], when(last.at))}`}
      </p>
      {lastBlock !== null && (
        <p dir="auto" className="text-sm wrap-anywhere">
          {words.lastBlock(when(lastBlock.at), visibleWords(lastBlock.message ?? words.outcomes.blocked))}
        </p>
      )}
      {lastFailure !== null && (
        <p dir="auto" className="text-sm text-danger wrap-anywhere">
          {words.lastFailure(
            when(lastFailure.at),
            visibleWords(lastFailure.message ?? words.outcomes.failed),
          )}
        </p>
      )}
    </article>
  )
}
