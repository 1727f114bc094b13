import { PROVIDER_KINDS, type ProviderTest, type ProviderView } from '@palimpsest/core/domain'
import { Button } from '@palimpsest/ui'
import { useEffect, useRef, useState } from 'react'
import { describeFailure, type Failure } from '../state/describe-failure.ts'
import { settingsWords } from '../words/en-settings.ts'
import { SelectField, TextArea, TextField } from './field.tsx'
import type { KnownProvider } from './known-providers.ts'
import { draftOf, draftOfKnown, EMPTY_DRAFT, type ProviderDraft, toInput } from './provider-draft.ts'
import { TestResult } from './test-result.tsx'
import type { ProviderActions } from './use-providers.ts'

const { models: words } = settingsWords

export type ProviderFormProps = {
  /** The one to change; null for a new one. */
  provider: ProviderView | null
  /** The provider that a new one is, by its name; null for a server of another kind. */
  known: KnownProvider | null
  /** Ids of all providers. */
  taken: readonly string[]
  onPut: ProviderActions['put']
  onClose: () => void
}

/**
 * Enters a provider or changes one: it is tested, then saved. A test that fails saves nothing and leaves the form open,
 * with the way to save it anyway.
 */
export function ProviderForm({ provider, known, taken, onPut, onClose }: ProviderFormProps) {
  const [draft, setDraft] = useState<ProviderDraft>(() => firstDraft(provider, known))
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [test, setTest] = useState<ProviderTest | null>(null)
  const change = (patch: Partial<ProviderDraft>) => setDraft((before) => ({ ...before, ...patch }))
  const problemOf = (field: string) => (failure?.field?.startsWith(field) ? failure.message : null)
  const lacksIds = test !== null && (!test.ok || test.models.length === 0)
  const title =
    provider !== null ? words.editTitle(provider.label) : known ? words.addTitle(known.label) : words.add

  async function save(anyhow = false) {
    setSaving(true)
    setFailure(null)
    setTest(null)
    const input = toInput(draft, provider, taken)
    try {
      const result = await onPut(input, { anyhow, stored: provider !== null })
      if (anyhow || (result.ok && (result.models.length > 0 || input.models.length > 0))) return onClose()
      setTest(result)
    } catch (error) {
      setFailure(describeFailure(error))
    } finally {
      setSaving(false)
    }
  }

  const fields = { draft, change, problemOf, provider, lacksIds }
  return (
    <form
      aria-label={title}
      className="space-y-4 rounded-lg border border-line bg-raised px-4 py-4"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <h3 className="font-medium">{title}</h3>
      {known === null ? (
        <>
          <Kind {...fields} />
          <Address {...fields} />
          <Key {...fields} />
          <Ids {...fields} />
        </>
      ) : (
        <>
          <KnownPage known={known} />
          {!known.local && <Key {...fields} focused />}
          <details open={failure?.field !== undefined || lacksIds || undefined}>
            <summary className="cursor-pointer py-1 text-muted text-sm coarse:py-3">{words.more}</summary>
            <div className="space-y-4 pt-2">
              <Name {...fields} />
              <Address {...fields} />
              {known.local && <Key {...fields} />}
              <Ids {...fields} />
            </div>
          </details>
        </>
      )}
      <OtherFailure failure={failure} />
      <TestResult test={test} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={saving}>
          {saving ? words.testing : words.save}
        </Button>
        {test !== null && (
          <Button disabled={saving} onClick={() => void save(true)}>
            {words.saveAnyhow}
          </Button>
        )}
        <Button onClick={onClose}>{words.cancel}</Button>
      </div>
    </form>
  )
}

function firstDraft(provider: ProviderView | null, known: KnownProvider | null): ProviderDraft {
  if (provider !== null) return draftOf(provider)
  return known === null ? EMPTY_DRAFT : draftOfKnown(known)
}

/** Where one gets what the form asks for. */
function KnownPage({ known: { label, page, local = false } }: { known: KnownProvider }) {
  return (
    <p className="text-muted text-sm">
      {local ? words.localLead(label) : words.keyLead(label)}{' '}
      <a
        href={page}
        target="_blank"
        rel="noopener noreferrer"
        className="inline-flex min-h-6 items-center underline coarse:min-h-11"
      >
        {local ? words.getProgram(label) : words.getKey}
      </a>
    </p>
  )
}

type Fields = {
  draft: ProviderDraft
  change: (patch: Partial<ProviderDraft>) => void
  problemOf: (field: string) => string | null
  provider: ProviderView | null
  /** The test has found no models. */
  lacksIds: boolean
}

const isCompatible = ({ kind }: ProviderDraft) => kind === 'openai-compatible'

function Kind(fields: Fields) {
  const { draft, change } = fields
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <SelectField
        label={words.kind}
        value={draft.kind}
        onChange={({ target }) =>
          change({ kind: PROVIDER_KINDS.find((kind) => kind === target.value) ?? draft.kind })
        }
      >
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {words.kinds[kind]}
          </option>
        ))}
      </SelectField>
      <Name {...fields} />
    </div>
  )
}

function Name({ draft, change, problemOf }: Fields) {
  return (
    <TextField
      label={words.name}
      placeholder={isCompatible(draft) ? words.namePlaceholder : words.kinds[draft.kind]}
      value={draft.label}
      problem={problemOf('label') ?? problemOf('id')}
      onChange={({ target }) => change({ label: target.value })}
    />
  )
}

function Address({ draft, change, problemOf }: Fields) {
  return (
    <TextField
      inputMode="url"
      label={isCompatible(draft) ? words.address : words.otherAddress}
      hint={words.addressHint}
      placeholder={isCompatible(draft) ? 'http://127.0.0.1:8080/v1' : ''}
      value={draft.baseURL}
      problem={problemOf('baseURL')}
      onChange={({ target }) => change({ baseURL: target.value })}
    />
  )
}

function Key({ draft, change, problemOf, provider, focused = false }: Fields & { focused?: boolean }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focused) field.current?.focus()
  }, [focused])
  return (
    <>
      <TextField
        ref={field}
        type="password"
        autoComplete="new-password"
        label={isCompatible(draft) && !focused ? words.optionalKey : words.key}
        hint={provider?.hasKey ? words.keyKept : words.keyNote}
        value={draft.apiKey}
        disabled={draft.removeKey}
        problem={problemOf('apiKey')}
        onChange={({ target }) => change({ apiKey: target.value })}
      />
      {provider?.hasKey && (
        <RemoveKey checked={draft.removeKey} onChange={(removeKey) => change({ removeKey, apiKey: '' })} />
      )}
    </>
  )
}

function Ids({ draft, change, problemOf, lacksIds }: Fields) {
  return (
    <TextArea
      rows={lacksIds ? 3 : 2}
      label={words.ids}
      hint={lacksIds ? words.idsNeeded : words.idsHint}
      spellCheck={false}
      value={draft.ids}
      problem={problemOf('models')}
      onChange={({ target }) => change({ ids: target.value })}
    />
  )
}

/** The one that needs no account first. */
const KINDS = ['openai-compatible', 'openai', 'anthropic', 'google'] as const

const FIELDS = ['id', 'label', 'baseURL', 'apiKey', 'models']

/** A failure that is shown at no field. */
function OtherFailure({ failure }: { failure: Failure | null }) {
  const { field = '', message } = failure ?? {}
  if (message === undefined || FIELDS.some((name) => field.startsWith(name))) return null
  return (
    <p role="alert" className="text-sm text-danger">
      {message}
    </p>
  )
}

function RemoveKey({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <label className="flex min-h-control items-center gap-2">
      <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
      {words.removeKey}
    </label>
  )
}
