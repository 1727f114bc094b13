import { MEMORY_LIMITS, MEMORY_SCOPES, type Memory } from '@palimpsest/core/domain'
import { Button } from '@palimpsest/ui'
import { type FormEvent, useState } from 'react'
import { useApp } from '../stores/app-context.tsx'
import { memoryWords as words } from '../words/en-memories.ts'
import { Choice, TextArea, TextField } from './field.tsx'
import type { MemoryActions, MemoryDraft } from './use-memories.ts'

export type MemoryFormProps = {
  /** The memory that is changed; null for a new one. */
  memory: Memory | null
  actions: MemoryActions
  onClose: () => void
}

const NEW: MemoryDraft = { scope: 'user', name: '', description: '', type: 'note', body: '' }

/** Writes a memory, or changes one: a proposal is accepted by it. */
export function MemoryForm({ memory, actions, onClose }: MemoryFormProps) {
  const { toasts } = useApp()
  const [draft, setDraft] = useState<MemoryDraft>(() => (memory === null ? NEW : toDraft(memory)))
  const [saving, setSaving] = useState(false)
  const isEmpty = [draft.name, draft.description, draft.body].some((text) => text.trim() === '')
  const field = (name: 'name' | 'description' | 'type' | 'body') => ({
    value: draft[name],
    maxLength: MEMORY_LIMITS[name],
    onChange: ({ target }: { target: { value: string } }) => setDraft({ ...draft, [name]: target.value }),
  })

  async function save(event: FormEvent) {
    event.preventDefault()
    setSaving(true)
    const saved = await toasts.guard(actions.write(draft))
    setSaving(false)
    if (saved) onClose()
  }

  const title = memory === null ? words.newTitle : words.editTitle(memory.name)
  return (
    <form
      aria-label={title}
      className="space-y-4 rounded-lg border border-line px-4 py-4"
      onSubmit={(event) => void save(event)}
    >
      <h3 className="font-medium wrap-anywhere">{title}</h3>
      {memory === null && (
        <Choice
          label={words.scope}
          options={MEMORY_SCOPES}
          names={words.scopes}
          value={draft.scope}
          onChange={(scope) => setDraft({ ...draft, scope })}
          {...(draft.scope === 'project' && { hint: words.projectHint })}
        />
      )}
      <TextField label={words.name} {...field('name')} autoFocus dir="auto" />
      <TextField
        label={words.description}
        hint={words.descriptionHint}
        {...field('description')}
        dir="auto"
      />
      <TextField label={words.type} hint={words.typeHint} {...field('type')} dir="auto" />
      <TextArea label={words.body} rows={6} {...field('body')} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={saving || isEmpty}>
          {memory?.state === 'proposed' ? words.saveAndAccept : words.save}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
      </div>
    </form>
  )
}

/** A memory as it is written back. */
export function toDraft({ id, scope, name, description, type, body }: Memory): MemoryDraft {
  return { id, scope, name, description, type, body }
}
