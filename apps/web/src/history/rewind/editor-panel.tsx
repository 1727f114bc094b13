import {
  type ChatMessage,
  type FileChoice,
  type FileChoices,
  isRunning,
  type ModelInfo,
  type ModelRef,
} from '@palimpsest/core/domain'
import { FileFates, ModelPicker, RewindEditor } from '@palimpsest/ui'
import { useEffect, useState } from 'react'
import { draftParts } from '../../composer/draft-parts.ts'
import { useDraft } from '../../composer/use-draft.ts'
import type { InputPart } from '../../session/input-part.ts'
import type { SessionStore } from '../../session/session-store.ts'
import { useStore } from '../../state/use-store.ts'
import { useApp } from '../../stores/app-context.tsx'
import { changesWords } from '../../words/en-changes.ts'
import { draftOf } from './draft-of.ts'
import { useRewindEffect } from './use-rewind-effect.ts'

export type EditorPanelProps = {
  message: ChatMessage
  store: SessionStore
  models: readonly ModelInfo[]
  /** The model that the session goes on with. */
  model: ModelRef | null
  /** False when it came to nothing: then what was written is put back. */
  onSend: (parts: InputPart[], model: ModelRef | null, files: FileChoices) => Promise<boolean>
  onRewind: (files: FileChoices) => void
  onClose: () => void
}

/** A message that is being edited in its place, with its files and its model; what is written survives a reload. */
export function EditorPanel({ message, store, models, model, onSend, onRewind, onClose }: EditorPanelProps) {
  const { drafts } = useApp()
  const { status } = useStore(store)
  const key = `edit-${message.id}`
  const draft = useDraft(key)
  const [chosen, setChosen] = useState(message.metadata?.model ?? model)
  const effect = useRewindEffect(store, message.id)
  const [choices, setChoices] = useState<ReadonlyMap<string, FileChoice>>(new Map())
  const files = [...choices].map(([path, choice]) => ({ path, choice }))
  useEffect(() => {
    const stored = drafts.of(key)
    if (stored.get() === stored.initial) stored.set(draftOf(message))
  }, [drafts, key, message])

  async function send(): Promise<void> {
    const written = draft.draft
    const parts = draftParts(written)
    if (parts.length === 0) return
    close()
    if (!(await onSend(parts, chosen, files))) drafts.of(key).set(written)
  }

  function close(): void {
    drafts.forget(key)
    onClose()
  }

  return (
    <RewindEditor
      text={draft.draft.text}
      onTextChange={draft.write}
      attachments={draft.attachments}
      onAttach={draft.attach}
      onRemoveAttachment={draft.detach}
      onInsertText={draft.insertText}
      effect={effect}
      fates={
        effect !== null &&
        effect.fates.length > 0 && (
          <FileFates
            words={changesWords}
            fates={effect.fates}
            choices={choices}
            onChoose={(path, choice) => setChoices(new Map(choices).set(path, choice))}
          />
        )
      }
      running={isRunning(status)}
      model={chosen && <ModelPicker models={models} value={chosen} onChange={setChosen} usedTokens={0} />}
      onSend={() => void send()}
      onRewind={() => {
        close()
        onRewind(files)
      }}
      onCancel={close}
    />
  )
}
