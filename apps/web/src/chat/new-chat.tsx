import type { ModelInfo, ModelRef } from '@palimpsest/core/domain'
import { BareBar, EmptyState } from '@palimpsest/ui'
import type { ReactNode } from 'react'
import type { InputPart } from '../session/input-part.ts'
import { findModel } from '../stores/model-choice.ts'
import { ADD_MODEL_HREF } from '../stores/route.ts'
import { prompts } from './suggestions.tsx'

export type NewChatProps = {
  composer: ReactNode
  models: readonly ModelInfo[]
  model: ModelRef | null
  onSend: (parts: InputPart[], mode: 'send') => void
}

/** A chat before its first message. */
export function NewChat({ composer, models, model, onSend }: NewChatProps) {
  const demo = model !== null && findModel(models, model)?.demo === true
  return (
    <>
      <BareBar />
      <EmptyState
        suggestions={prompts()}
        onSuggest={(id) => {
          const text = prompts().find((prompt) => prompt.id === id)?.prompt
          if (text !== undefined) onSend([{ type: 'text', text }], 'send')
        }}
        composer={composer}
        demo={demo}
        addModelHref={ADD_MODEL_HREF}
      />
    </>
  )
}
