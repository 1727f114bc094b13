import { Composer, type ComposerHandle, type SendMode, useMessages } from '@palimpsest/ui'
import { type ReactNode, useEffect, useRef } from 'react'
import { draftParts } from '../../composer/draft-parts.ts'
import { useDraft } from '../../composer/use-draft.ts'
import type { InputPart } from '../../session/input-part.ts'

export type SideComposerProps = {
  draftKey: string
  running: boolean
  disabled?: boolean
  /** False when it came to nothing: then what was written is put back. */
  onSend: (parts: InputPart[], mode: SendMode) => Promise<boolean>
  onStop: () => void
  /** Over the field; `add` puts words into it. */
  above?: (add: (text: string) => void) => ReactNode
}

/** The composer of a question on the side. */
export function SideComposer({
  draftKey,
  running,
  disabled = false,
  onSend,
  onStop,
  above,
}: SideComposerProps) {
  const { side } = useMessages().history
  const draft = useDraft(draftKey)
  const field = useRef<ComposerHandle>(null)
  useEffect(() => field.current?.focus(), [])

  async function send(mode: SendMode): Promise<void> {
    const parts = draftParts(draft.draft)
    if (parts.length === 0) return
    const takeBack = draft.clear()
    if (!(await onSend(parts, mode))) takeBack()
  }

  return (
    <div className="shrink-0 md:px-3">
      <Composer
        ref={field}
        value={draft.draft.text}
        onValueChange={draft.write}
        attachments={draft.attachments}
        onAttach={draft.attach}
        onRemoveAttachment={draft.detach}
        onInsertText={draft.insertText}
        running={running}
        disabled={disabled}
        placeholder={side.placeholder}
        onSend={(mode) => void send(mode)}
        onStop={onStop}
        above={above?.(draft.add)}
      />
    </div>
  )
}
