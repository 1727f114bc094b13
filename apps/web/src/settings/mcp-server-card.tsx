import type { McpServerView } from '@palimpsest/core/domain'
import { Button, ConfirmDialog, useFormat, visibleText, visibleWords } from '@palimpsest/ui'
import { useState } from 'react'
import { settingsWords } from '../words/en-settings.ts'
import { McpTools } from './mcp-tools.tsx'

const { mcp: words } = settingsWords

export type McpServerCardProps = {
  server: McpServerView
  reconnect: (name: string) => Promise<void>
  /** Returns the address of the page that it has opened. */
  signIn: (name: string) => Promise<string | null>
  signOut: (name: string) => Promise<void>
  remove: (name: string) => Promise<void>
}

/** A server: whether it is connected, why not, and its tools on request. What it says of itself is shown as plain text. */
export function McpServerCard({ server, ...actions }: McpServerCardProps) {
  const { name, kind, source, address, state, tools, leftOut, refused, wider } = server
  const canSignIn = server.signIn === 'needed' || wider !== null
  const [acting, setActing] = useState(false)
  const [removing, setRemoving] = useState(false)
  const [page, setPage] = useState<string | null>(null)
  const busy = acting || state.type === 'connecting'

  async function act<T>(action: (name: string) => Promise<T>): Promise<T> {
    setActing(true)
    return await action(name).finally(() => setActing(false))
  }

  async function signIn(): Promise<void> {
    setPage(await act(actions.signIn))
  }

  return (
    <article aria-label={name} className="flex flex-col gap-2 rounded-lg border border-line px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 grow basis-60">
          <h3 className="font-medium wrap-anywhere">{name}</h3>
          <p className="text-sm text-muted">
            {words.kinds[kind]} · {address === null ? words.inFile : <ExactAddress text={address} />} ·{' '}
            <span className={state.type === 'failed' ? 'text-danger' : undefined}>
              {words.states[state.type]}
            </span>
          </p>
        </div>
        {canSignIn && (
          <Button
            small
            variant="primary"
            aria-label={words.signInAt(name)}
            disabled={acting}
            onClick={() => void signIn()}
          >
            {words.signIn}
          </Button>
        )}
        {server.signIn === 'done' && (
          <Button
            small
            aria-label={words.signOutOf(name)}
            disabled={busy}
            onClick={() => void act(actions.signOut)}
          >
            {words.signOut}
          </Button>
        )}
        <Button
          small
          aria-label={words.connectTo(name)}
          disabled={busy}
          onClick={() => void act(actions.reconnect)}
        >
          {state.type === 'off' ? words.connect : words.reconnect}
        </Button>
        {source === 'settings' && (
          <Button
            small
            aria-label={words.removeNamed(name)}
            disabled={acting}
            onClick={() => setRemoving(true)}
          >
            {words.remove}
          </Button>
        )}
      </div>
      {wider !== null && (
        <p className="text-sm text-caution wrap-anywhere">{words.wider(visibleText(wider))}</p>
      )}
      {page !== null && canSignIn && (
        <p className="text-sm">
          <a
            href={page}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex min-h-6 items-center underline coarse:min-h-11"
          >
            {words.signInPage}
          </a>
        </p>
      )}
      {state.type === 'failed' && <Failure {...state} />}
      <McpTools tools={tools} />
      <NamedList
        title={words.refused(refused.length)}
        items={refused.map(({ name: tool, reason }, at) => ({ id: `${at}`, name: tool, text: reason }))}
      />
      <ConfirmDialog
        danger
        open={removing}
        onOpenChange={setRemoving}
        title={words.removeNamed(name)}
        description={words.removeBody}
        confirmLabel={words.remove}
        onConfirm={() => void act(actions.remove)}
      />
      {leftOut > 0 && <p className="text-sm text-caution">{words.leftOut(leftOut)}</p>}
    </article>
  )
}

function ExactAddress({ text }: { text: string }) {
  return <span className="wrap-anywhere">{visibleText(text)}</span>
}

type NamedListProps = { title: string; items: readonly { id: string; name: string; text: string }[] }

/** Names with a text of the server each, opened on request; nothing without items. */
function NamedList({ title, items }: NamedListProps) {
  if (items.length === 0) return null
  return (
    <details>
      <summary className="cursor-pointer py-1 coarse:py-3 text-sm text-muted">{title}</summary>
      <dl className="mt-1 space-y-1.5">
        {items.map(({ id, name, text }) => (
          <div key={id}>
            <dt className="font-code text-sm wrap-anywhere">{visibleText(name)}</dt>
            <dd className="text-sm text-muted wrap-anywhere" dir="auto">
              {visibleWords(text)}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function Failure({ reason, retryAt }: { reason: string; retryAt: number }) {
  const format = useFormat()
  return (
    <div className="text-sm text-muted">
      <p className="wrap-anywhere" dir="auto">
        {visibleWords(reason)}
      </p>
      <p>{words.retry(format.moment(retryAt, Date.now()))}</p>
    </div>
  )
}
