import { type AppSettings, LIMITS, type ModelRef } from '@palimpsest/core/domain'
import { Button, useMessages } from '@palimpsest/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useWorkspace } from '../list/workspace-context.tsx'
import { MODELS_QUERY, useModels } from '../model/use-models.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { currentLanguageChoice, LANGUAGE_CHOICES } from '../stores/language-choice.ts'
import { findModel } from '../stores/model-choice.ts'
import { applyTextSize, currentTextSize, TEXT_SIZES } from '../stores/preferences.ts'
import { settingsWords } from '../words/en-settings.ts'
import { Choice, SelectField, TextArea } from './field.tsx'
import { NotificationChoice } from './notification-choice.tsx'

const { general: words } = settingsWords

const SETTINGS_QUERY = ['settings'] as const

/** What applies to every chat, and how the page looks in this browser. */
export function GeneralSection() {
  const { client, toasts } = useApp()
  const queries = useQueryClient()
  const { data } = useQuery({ queryKey: SETTINGS_QUERY, queryFn: () => client().settings.get.query() })

  async function set(patch: Partial<AppSettings>): Promise<void> {
    queries.setQueryData(SETTINGS_QUERY, await client().settings.set.mutate(patch))
    await queries.invalidateQueries({ queryKey: MODELS_QUERY })
  }

  return (
    <div className="space-y-8">
      <DefaultModel
        value={data?.defaultModel ?? null}
        disabled={data === undefined}
        onChange={(defaultModel) => void toasts.guard(set({ defaultModel }))}
      />
      <Instructions
        // The field begins with what is stored.
        key={data === undefined ? 'loading' : 'loaded'}
        value={data?.instructions ?? ''}
        disabled={data === undefined}
        onSave={(instructions) => toasts.guard(set({ instructions }))}
      />
      <Appearance />
    </div>
  )
}

type DefaultModelProps = {
  value: ModelRef | null
  /** True until the value is known. */
  disabled: boolean
  onChange: (model: ModelRef | null) => void
}

function DefaultModel({ value, disabled, onChange }: DefaultModelProps) {
  const models = useModels()?.models ?? []
  const groups = Map.groupBy(models, ({ providerLabel }) => providerLabel)
  const missing = value !== null && models.length > 0 && findModel(models, value) === null
  return (
    <SelectField
      label={words.defaultModel}
      hint={words.defaultModelHint}
      disabled={disabled}
      value={value === null ? '' : toOption(value)}
      onChange={({ target }) => {
        const chosen = models.find((model) => toOption(model) === target.value)
        onChange(chosen ? { providerId: chosen.providerId, modelId: chosen.modelId } : null)
      }}
    >
      <option value="">{words.firstModel}</option>
      {missing && <option value={toOption(value)}>{words.missing(value.modelId)}</option>}
      {[...groups].map(([label, members]) => (
        <optgroup key={label} label={label}>
          {members.map((model) => (
            <option key={toOption(model)} value={toOption(model)}>
              {model.label}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}

function toOption({ providerId, modelId }: ModelRef): string {
  return `${providerId}/${modelId}`
}

type InstructionsProps = { value: string; disabled: boolean; onSave: (text: string) => Promise<unknown> }

function Instructions({ value, disabled, onSave }: InstructionsProps) {
  const [text, setText] = useState(value)
  const left = LIMITS.instructionsCharacters - text.length
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        void onSave(text)
      }}
    >
      <TextArea
        rows={5}
        label={words.instructions}
        hint={words.instructionsHint}
        placeholder={words.instructionsPlaceholder}
        disabled={disabled}
        maxLength={LIMITS.instructionsCharacters}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="flex items-center gap-3">
        <Button type="submit" variant="primary" disabled={text === value}>
          {words.save}
        </Button>
        <p role="status" className="text-sm text-muted">
          {text === value && value !== '' ? words.saved : left < 2_000 ? words.left(left) : ''}
        </p>
      </div>
    </form>
  )
}

const SEND_KEYS = ['enter', 'mod+enter'] as const

function Appearance() {
  const { theme: themes } = useMessages()
  const { theme, setTheme } = useWorkspace()
  const { sendKey } = useApp()
  const key = useStore(sendKey)
  const [textSize, setTextSize] = useState(currentTextSize)
  return (
    <section className="space-y-6">
      <header>
        <h3 className="font-text text-lg">{words.appearance}</h3>
        <p className="text-sm text-muted">{words.inThisBrowser}</p>
      </header>
      <LanguageField />
      <Choice
        label={themes.label}
        options={['system', 'light', 'dark']}
        names={themes}
        value={theme}
        onChange={setTheme}
      />
      <Choice
        label={words.textSize}
        options={TEXT_SIZES}
        names={words.textSizes}
        value={textSize}
        onChange={(size) => {
          applyTextSize(size)
          setTextSize(size)
        }}
      />
      <Choice
        label={words.sendKey}
        options={SEND_KEYS}
        names={words.sendKeys}
        value={key}
        onChange={sendKey.set}
        hint={words.sendKeyHints[key]}
      />
      <NotificationChoice />
    </section>
  )
}

/** The language, which is applied at once: the page is drawn anew, and this field keeps the focus. */
function LanguageField() {
  const { language } = useApp()
  const [choice, setChoice] = useState(currentLanguageChoice)
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (language.takeFocus()) field.current?.querySelector<HTMLElement>('input:checked')?.focus()
  }, [language])
  return (
    <div ref={field}>
      <Choice
        label={words.language}
        options={LANGUAGE_CHOICES}
        names={words.languages}
        value={choice}
        onChange={(next) => {
          setChoice(next)
          void language.choose(next)
        }}
      />
    </div>
  )
}
