import type { ClipboardEvent, KeyboardEvent, ReactNode, Ref, RefObject } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import type { ListNavigation } from '../primitives/use-list-navigation.ts'
import { useMediaQuery } from '../primitives/use-media-query.ts'
import type { ComposerAttachment } from './attachment.ts'
import { type ComposerKeyAction, composerKey, type SendKey, type SendMode } from './composer-key.ts'
import { pastedFiles } from './pasted-files.ts'
import type { SlashCommand } from './slash-command.ts'
import { useAutoGrow } from './use-auto-grow.ts'
import type { MentionField } from './use-mention.ts'

export type ComposerHandle = { focus(): void }

export type ComposerProps = {
  value: string
  onValueChange: (value: string) => void
  attachments: readonly ComposerAttachment[]
  onAttach: (files: File[]) => void
  onRemoveAttachment: (id: string) => void
  /** Turns a long paste, which became a file, back into text. */
  onInsertText?: ((id: string) => void) | undefined
  /** Under the attachments: what of them the model can't read. */
  fileNotice?: ReactNode
  running: boolean
  /** Called with something to send; `queue`, `steer` and `interrupt` only while running. */
  onSend: (mode: SendMode) => void
  onStop: () => void
  /** Esc while running; `onStop` without it. */
  onEscape?: () => void
  commands?: readonly SlashCommand[]
  onCommand?: (name: string, argument: string) => void
  /** Lists what an `@` in the field finds; without it an `@` is a sign like others. */
  mentions?: (field: MentionField) => ReactNode
  /** ↑ in an empty composer: bring back the last prompt. */
  onRecall?: () => void
  /** Shift+Tab in the field: the next mode. Left out, the key moves the focus. */
  onNextMode?: (() => void) | undefined
  /** False leaves the keys unsaid that a person knows by now. */
  hints?: boolean
  /** True disables Send, as while a session is created; the text is kept. */
  disabled?: boolean
  placeholder?: string
  autoFocus?: boolean
  /** `enter` when it is left out. */
  sendKey?: SendKey
  /** Over the field, inside the frame: queue chips, trays. */
  above?: ReactNode
  /** In the foot, at the left: the model picker. */
  footStart?: ReactNode
  /** In the foot, before Send: the context meter. */
  footEnd?: ReactNode
  ref?: Ref<ComposerHandle>
}

export type ComposerFieldProps = Pick<
  ComposerProps,
  | 'value'
  | 'onValueChange'
  | 'onAttach'
  | 'onStop'
  | 'onEscape'
  | 'onRecall'
  | 'onNextMode'
  | 'running'
  | 'autoFocus'
  | 'sendKey'
> & {
  field: RefObject<HTMLTextAreaElement | null>
  empty: boolean
  placeholder: string
  /** The open list of commands, which takes the arrows and Enter first. */
  menu: ListNavigation | null
  onSend: (mode: SendMode) => void
}

/** The text area and its keys. */
export function ComposerField(props: ComposerFieldProps) {
  const { field, value, menu, sendKey = 'enter' } = props
  const { composer } = useMessages()
  const touch = useMediaQuery('(pointer: coarse)')
  useAutoGrow(field, value)

  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (menu?.handleKey(event) || turnsMode(event, props.onNextMode)) return
    const action = composerKey({
      key: event.key,
      shift: event.shiftKey,
      mod: event.metaKey || event.ctrlKey,
      composing: event.nativeEvent.isComposing,
      running: props.running,
      empty: props.empty,
      touch,
      sendKey,
    })
    if (action === null || (action.type === 'recall' && !props.onRecall)) return
    event.preventDefault()
    carryOut(action, props)
  }

  const handlePaste = (event: ClipboardEvent) => {
    const files = pastedFiles(event.clipboardData)
    if (files.length === 0) return
    event.preventDefault()
    props.onAttach(files)
  }

  return (
    <textarea
      ref={field}
      rows={1}
      dir="auto"
      aria-label={composer.label}
      aria-autocomplete={menu ? 'list' : undefined}
      aria-controls={menu?.listId}
      aria-activedescendant={menu ? menu.optionId(menu.active) : undefined}
      placeholder={props.placeholder}
      value={value}
      // biome-ignore lint/a11y/noAutofocus: the caller asks for it where writing is all that the page is for
      autoFocus={props.autoFocus}
      onChange={(event) => props.onValueChange(event.target.value)}
      onKeyDown={handleKey}
      onPaste={handlePaste}
      className="composer-field"
    />
  )
}

function carryOut(action: NonNullable<ComposerKeyAction>, props: ComposerFieldProps): void {
  if (action.type === 'send') props.onSend(action.mode)
  if (action.type === 'stop') (props.onEscape ?? props.onStop)()
  if (action.type === 'recall') props.onRecall?.()
}

/** Shift+Tab goes on to the next mode; true where that was the key. */
function turnsMode(event: KeyboardEvent, onNextMode: (() => void) | undefined): boolean {
  if (event.key !== 'Tab' || !event.shiftKey || onNextMode === undefined) return false
  event.preventDefault()
  onNextMode()
  return true
}
