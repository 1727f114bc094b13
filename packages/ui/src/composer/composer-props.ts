import type { ReactNode, Ref } from 'react'
import type { ComposerAttachment } from './attachment.ts'
import type { SendMode } from './composer-key.ts'
import type { SlashCommand } from './slash-command.ts'

export type ComposerHandle = { focus(): void }

export type ComposerProps = {
  value: string
  onValueChange: (value: string) => void
  attachments: readonly ComposerAttachment[]
  onAttach: (files: File[]) => void
  onRemoveAttachment: (id: string) => void
  running: boolean
  /** Called with something to send; `queue`, `steer` and `interrupt` only while running. */
  onSend: (mode: SendMode) => void
  onStop: () => void
  commands?: readonly SlashCommand[]
  onCommand?: (name: string, argument: string) => void
  /** ↑ in an empty composer: bring back the last prompt. */
  onRecall?: () => void
  /** True keeps Send off, as while a session is created; what is written stays. */
  disabled?: boolean
  placeholder?: string
  autoFocus?: boolean
  /** Over the field, inside the frame: queue chips, trays. */
  above?: ReactNode
  /** In the foot, at the left: the model picker. */
  footStart?: ReactNode
  /** In the foot, before Send: the context meter. */
  footEnd?: ReactNode
  ref?: Ref<ComposerHandle>
}
