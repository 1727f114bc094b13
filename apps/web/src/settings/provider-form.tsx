import { PROVIDER_KINDS, type ProviderTest, type ProviderView } from '@palimpsest/core/domain'
import { Button } from '@palimpsest/ui'
import { useRef, useState } from 'react'
import { describeFailure, type Failure } from '../state/describe-failure.ts'
import { settingsWords } from '../words/en-settings.ts'
import { SelectField, TextArea, TextField } from './field.tsx'
import { draftOf, EMPTY_DRAFT, type ProviderDraft, toInput } from './provider-draft.ts'
import { TestResult } from './test-result.tsx'
import type { ProviderActions } from './use-providers.ts'

const { models: words } = settingsWords

export type ProviderFormProps = {
  /** The one to change; null for a new one. */
  provider: ProviderView | null
  /** Ids of all providers. */
  taken: readonly string[]
  onPut: ProviderActions['put']
  onClose: () => void
}

/** Enters a provider or changes one: it is saved, then tested. A test that fails leaves the form open. */
export function ProviderForm({ provider, taken, onPut, onClose }: ProviderFormProps) {
  const [draft, setDraft] = useState<ProviderDraft>(() => (provider ? draftOf(provider) : EMPTY_DRAFT))
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [test, setTest] = useState<ProviderTest | null>(null)
  // A second attempt changes what the first one entered.
  const id = useRef(provider?.id)
  const change = (patch: Partial<ProviderDraft>) => setDraft((before) => ({ ...before, ...patch }))
  const problemOf = (field: string) => (failure?.field?.startsWith(field) ? failure.message : null)
  const compatible = draft.kind === 'openai-compatible'
  const lacksIds = test !== null && (!test.ok || test.models.length === 0)

  async function save() {
    setSaving(true)
    setFailure(null)
    setTest(null)
    const input = toInput(draft, provider, taken)
    const sent = { ...input, id: id.current ?? input.id }
    try {
      const result = await onPut(sent)
      id.current = sent.id
      if (result.ok && (result.models.length > 0 || sent.models.length > 0)) return onClose()
      setTest(result)
    } catch (error) {
      setFailure(describeFailure(error))
    } finally {
      setSaving(false)
    }
  }

  return (
    <form
      aria-label={provider === null ? words.add : words.editTitle(provider.label)}
      className="space-y-4 rounded-lg border border-line bg-raised px-4 py-4"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <h3 className="font-medium">{provider === null ? words.add : words.editTitle(provider.label)}</h3>
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
        <TextField
          label={words.name}
          placeholder={compatible ? words.namePlaceholder : words.kinds[draft.kind]}
          value={draft.label}
          problem={problemOf('label') ?? problemOf('id')}
          onChange={({ target }) => change({ label: target.value })}
        />
      </div>
      <TextField
        inputMode="url"
        label={compatible ? words.address : words.otherAddress}
        hint={words.addressHint}
        placeholder={compatible ? 'http://127.0.0.1:8080/v1' : ''}
        value={draft.baseURL}
        problem={problemOf('baseURL')}
        onChange={({ target }) => change({ baseURL: target.value })}
      />
      <TextField
        type="password"
        autoComplete="new-password"
        label={compatible ? words.optionalKey : words.key}
        hint={provider?.hasKey ? words.keyKept : words.keyNote}
        value={draft.apiKey}
        disabled={draft.removeKey}
        problem={problemOf('apiKey')}
        onChange={({ target }) => change({ apiKey: target.value })}
      />
      {provider?.hasKey && (
        <RemoveKey checked={draft.removeKey} onChange={(removeKey) => change({ removeKey, apiKey: '' })} />
      )}
      <TextArea
        rows={lacksIds ? 3 : 2}
        label={words.ids}
        hint={lacksIds ? words.idsNeeded : words.idsHint}
        spellCheck={false}
        value={draft.ids}
        problem={problemOf('models')}
        onChange={({ target }) => change({ ids: target.value })}
      />
      <OtherFailure failure={failure} />
      <TestResult test={test} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={saving}>
          {saving ? words.testing : words.save}
        </Button>
        <Button onClick={onClose}>{test === null ? words.cancel : settingsWords.done}</Button>
      </div>
    </form>
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
