import type { McpServerView } from '@palimpsest/core/domain'
import { Button, useFormat, visibleText } from '@palimpsest/ui'
import { useState } from 'react'
import { settingsWords } from '../words/en-settings.ts'

const { mcp: words } = settingsWords

export type McpServerCardProps = { server: McpServerView; onReconnect: (name: string) => Promise<void> }

/** A server: whether it is connected, why not, and its tools on request. What it says of itself is shown as plain text. */
export function McpServerCard({ server, onReconnect }: McpServerCardProps) {
  const { name, kind, state, tools, leftOut } = server
  const [connecting, setConnecting] = useState(false)
  const busy = connecting || state.type === 'connecting'

  async function reconnect(): Promise<void> {
    setConnecting(true)
    await onReconnect(name)
    setConnecting(false)
  }

  return (
    <article aria-label={name} className="flex flex-col gap-2 rounded-lg border border-line px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 grow basis-60">
          <h3 className="font-medium wrap-anywhere">{name}</h3>
          <p className="text-sm text-muted">
            {words.kinds[kind]} ·{' '}
            <span className={state.type === 'failed' ? 'text-danger' : undefined}>
              {words.states[state.type]}
            </span>
          </p>
        </div>
        <Button small aria-label={words.connectTo(name)} disabled={busy} onClick={() => void reconnect()}>
          {state.type === 'off' ? words.connect : words.reconnect}
        </Button>
      </div>
      {state.type === 'failed' && <Failure {...state} />}
      {tools.length > 0 && (
        <details>
          <summary className="min-h-control cursor-pointer text-sm text-muted">
            {words.tools(tools.length)}
          </summary>
          <dl className="mt-1 space-y-1.5">
            {tools.map((tool) => (
              <div key={tool.id}>
                <dt className="font-code text-sm wrap-anywhere">{visibleText(tool.name)}</dt>
                <dd className="text-sm text-muted wrap-anywhere" dir="auto">
                  {visibleText(tool.description)}
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {leftOut > 0 && <p className="text-sm text-caution">{words.leftOut(leftOut)}</p>}
    </article>
  )
}

function Failure({ reason, retryAt }: { reason: string; retryAt: number }) {
  const format = useFormat()
  return (
    <p className="text-sm text-muted wrap-anywhere" dir="auto">
      {visibleText(reason)} {words.retry(format.moment(retryAt, Date.now()))}
    </p>
  )
}
