import { Composer, type ComposerHandle, useMessages } from '@palimpsest/ui'
import { useEffect, useRef } from 'react'
import { draftParts } from '../composer/draft-parts.ts'
import { useDraft } from '../composer/use-draft.ts'
import type { InputPart } from '../session/input-part.ts'

export type SideComposerProps = {
  draftKey: string
  running: boolean
  disabled?: boolean
  onSend: (parts: InputPart[]) => void
  onStop: () => void
}

/** The composer of a question on the side. */
export function SideComposer({ draftKey, running, disabled = false, onSend, onStop }: SideComposerProps) {
  const { side } = useMessages().history
  const draft = useDraft(draftKey)
  const field = useRef<ComposerHandle>(null)
  useEffect(() => field.current?.focus(), [])

  return (
    <div className="shrink-0 md:px-3">
      <Composer
        ref={field}
        value={draft.draft.text}
        onValueChange={draft.write}
        attachments={draft.attachments}
        onAttach={draft.attach}
        onRemoveAttachment={draft.detach}
        running={running}
        disabled={disabled}
        placeholder={side.placeholder}
        onSend={() => {
          const parts = draftParts(draft.draft)
          if (parts.length === 0) return
          draft.clear()
          onSend(parts)
        }}
        onStop={onStop}
      />
    </div>
  )
}
