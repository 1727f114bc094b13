import type { McpTest } from '@palimpsest/core/domain'
import { Button } from '@palimpsest/ui'
import { useState } from 'react'
import { describeFailure, type Failure } from '../state/describe-failure.ts'
import { settingsWords } from '../words/en-settings.ts'
import { Choice, TextArea, TextField } from './field.tsx'
import { EMPTY_MCP_DRAFT, type McpDraft, readEntries, toDefinition } from './mcp-draft.ts'
import { McpTools } from './mcp-tools.tsx'
import type { McpActions } from './use-mcp-servers.ts'

const { mcp: words } = settingsWords
const KINDS = ['stdio', 'http'] as const

export type McpFormProps = Pick<McpActions, 'test' | 'put'> & { onClose: () => void }

/** Enters an MCP server: typed, or pasted as an entry of a directory. All that will be started is in view before it is. */
export function McpForm({ test, put, onClose }: McpFormProps) {
  const [draft, setDraft] = useState<McpDraft>(EMPTY_MCP_DRAFT)
  const [pasted, setPasted] = useState<{ text: string; entries: McpDraft[] }>({ text: '', entries: [] })
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [tested, setTested] = useState<McpTest | null>(null)
  const problemOf = (field: string) => (failure?.field?.startsWith(field) ? failure.message : null)

  function change(patch: Partial<McpDraft>): void {
    setDraft((before) => ({ ...before, ...patch }))
    setTested(null)
  }

  function paste(text: string): void {
    const entries = readEntries(text)
    setPasted({ text, entries })
    if (entries[0] !== undefined) change(entries[0])
  }

  async function run(act: (input: Parameters<McpActions['put']>[0]) => Promise<void>): Promise<void> {
    setBusy(true)
    setFailure(null)
    try {
      await act({ name: draft.name.trim(), server: toDefinition(draft) })
    } catch (error) {
      setFailure(describeFailure(error))
    } finally {
      setBusy(false)
    }
  }

  const save = () =>
    run(async (input) => {
      await put(input)
      onClose()
    })
  const runTest = () => run(async (input) => setTested(await test(input)))

  return (
    <form
      aria-label={words.add}
      className="space-y-4 rounded-lg border border-line bg-raised px-4 py-4"
      onSubmit={(event) => {
        event.preventDefault()
        void (tested === null ? runTest() : save())
      }}
    >
      <h3 className="font-medium">{words.add}</h3>
      <TextArea
        rows={3}
        label={words.paste}
        hint={words.pasteHint}
        spellCheck={false}
        value={pasted.text}
        problem={pasted.text.trim() !== '' && pasted.entries.length === 0 ? words.pasteWrong : null}
        onChange={({ target }) => paste(target.value)}
      />
      {pasted.entries.length > 1 && (
        <p className="flex flex-wrap items-center gap-1.5 text-sm">
          <span className="text-muted">{words.pastedMany(pasted.entries.length)}</span>
          {pasted.entries.map((entry) => (
            <Button key={entry.name} small onClick={() => change(entry)}>
              {entry.name}
            </Button>
          ))}
        </p>
      )}
      <TextField
        label={words.name}
        hint={words.nameHint}
        value={draft.name}
        problem={problemOf('name')}
        onChange={({ target }) => change({ name: target.value })}
      />
      <Choice
        label={words.kind}
        options={KINDS}
        names={words.kinds}
        value={draft.kind}
        onChange={(kind) => change({ kind })}
      />
      {draft.kind === 'stdio' ? (
        <>
          <TextField
            label={words.command}
            hint={words.commandHint}
            value={draft.command}
            problem={problemOf('server.command')}
            onChange={({ target }) => change({ command: target.value })}
          />
          <TextArea
            rows={3}
            label={words.args}
            spellCheck={false}
            value={draft.args}
            problem={problemOf('server.args')}
            onChange={({ target }) => change({ args: target.value })}
          />
        </>
      ) : (
        <TextField
          inputMode="url"
          label={words.address}
          placeholder="https://wiki.example/mcp"
          value={draft.url}
          problem={problemOf('server.url')}
          onChange={({ target }) => change({ url: target.value })}
        />
      )}
      <TextArea
        rows={2}
        label={draft.kind === 'stdio' ? words.env : words.headers}
        hint={words.secretsHint}
        spellCheck={false}
        value={draft.values}
        problem={problemOf('server.env') ?? problemOf('server.headers')}
        onChange={({ target }) => change({ values: target.value })}
      />
      <Other failure={failure} />
      <Outcome tested={tested} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={busy}>
          {busy ? words.testing : saveName(tested)}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
      </div>
    </form>
  )
}

function saveName(tested: McpTest | null): string {
  if (tested === null) return words.test
  return tested.ok || tested.signIn ? words.save : words.saveAnyhow
}

function Other({ failure }: { failure: Failure | null }) {
  if (failure === null || /^(name|server\.)/.test(failure.field ?? '')) return null
  return (
    <p role="alert" className="text-danger text-sm">
      {failure.message}
    </p>
  )
}

/** What the first connection has brought, announced when it comes. */
function Outcome({ tested }: { tested: McpTest | null }) {
  return (
    <div role="status" className={tested === null ? 'sr-only' : 'space-y-2 text-sm'}>
      {tested?.ok === true && (
        <>
          <p className="text-good">{words.works(tested.tools.length)}</p>
          <McpTools tools={tested.tools} open />
        </>
      )}
      {tested?.ok === false && tested.signIn && <p className="text-caution">{words.asksSignIn}</p>}
      {tested?.ok === false && !tested.signIn && (
        <p className="wrap-anywhere text-danger">
          {words.testFailed} <q dir="auto">{tested.message}</q>
        </p>
      )}
    </div>
  )
}
