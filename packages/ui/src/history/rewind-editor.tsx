import { Undo2 } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { AttachButton } from '../composer/attach-button.tsx'
import type { ComposerAttachment } from '../composer/attachment.ts'
import { AttachmentStrip } from '../composer/attachment-strip.tsx'
import { pastedFiles } from '../composer/pasted-files.ts'
import { useAutoGrow } from '../composer/use-auto-grow.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { Kbd } from '../primitives/kbd.tsx'
import { useMediaQuery } from '../primitives/use-media-query.ts'

/** What a rewind does: messages that it hides, and files that it restores; null when it leaves all files alone. */
export type RewindEffect = { hides: number; files: number | null }

export type RewindEditorProps = {
  text: string
  onTextChange: (text: string) => void
  attachments: readonly ComposerAttachment[]
  onAttach: (files: File[]) => void
  onRemoveAttachment: (id: string) => void
  onInsertText?: ((id: string) => void) | undefined
  /** What the rewind does; null until it is counted. */
  effect: RewindEffect | null
  /** What becomes of each file, and the choices about them: `FileFates`. */
  fates?: ReactNode
  /** True while a reply is written, which sending stops. */
  running: boolean
  /** In the foot: the model picker. */
  model?: ReactNode
  onSend: () => void
  /** Rewinds and leaves the message as it is. */
  onRewind: () => void
  onCancel: () => void
}

/** Edits a user message in its place. What will be hidden and restored is shown under it before it is sent. */
export function RewindEditor(props: RewindEditorProps) {
  const { text, attachments, effect, running, onSend, onCancel } = props
  const { history, app } = useMessages()
  const field = useRef<HTMLTextAreaElement>(null)
  const hint = useId()
  const touch = useMediaQuery('(pointer: coarse)')
  useAutoGrow(field, text)
  useEffect(() => {
    const end = field.current?.value.length ?? 0
    field.current?.focus()
    field.current?.setSelectionRange(end, end)
  }, [])

  const ready = attachments.every(({ state }) => state.type === 'ready')
  const empty = text.trim() === '' && attachments.length === 0
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      onCancel()
    }
    const sends = event.key === 'Enter' && (event.metaKey || event.ctrlKey || !(event.shiftKey || touch))
    if (!sends) return
    event.preventDefault()
    if (!empty && ready) onSend()
  }
  const handlePaste = (event: ClipboardEvent) => {
    const files = pastedFiles(event.clipboardData)
    if (files.length === 0) return
    event.preventDefault()
    props.onAttach(files)
  }

  return (
    <section
      aria-label={history.editor.label}
      className="enter mt-6 rounded-2xl border border-rubric bg-raised shadow-raised"
    >
      {attachments.length > 0 && (
        <AttachmentStrip
          attachments={attachments}
          onRemove={props.onRemoveAttachment}
          onInsertText={props.onInsertText}
        />
      )}
      <textarea
        ref={field}
        rows={1}
        aria-label={history.editor.label}
        aria-describedby={hint}
        value={text}
        onChange={(event) => props.onTextChange(event.target.value)}
        onKeyDown={handleKey}
        onPaste={handlePaste}
        className="composer-field"
      />
      <div className="flex flex-wrap items-center gap-1 px-2 pb-2">
        <AttachButton onFiles={props.onAttach} />
        {props.model}
        <span className="ml-auto flex flex-wrap justify-end gap-1">
          <Button variant="quiet" onClick={onCancel}>
            {app.cancel} {!touch && <Kbd keys="esc" />}
          </Button>
          <Button onClick={props.onRewind}>{history.editor.rewind}</Button>
          <Button variant="primary" disabled={empty || !ready} onClick={onSend}>
            {running ? history.editor.stopAndSend : history.editor.send}
          </Button>
        </span>
      </div>
      {/* Under the buttons: its second line comes with the server's answer, and nothing may move under a press. */}
      <p id={hint} className="flex gap-2 px-4 pb-3 text-sm text-muted">
        <Undo2 aria-hidden size={14} className="mt-0.5 text-rubric" />
        <span>
          {effect === null || effect.hides === 0
            ? history.editor.replaces
            : history.editor.hides(effect.hides)}{' '}
          {effect !== null && history.editor.files(effect.files)}
        </span>
      </p>
      {props.fates && <div className="border-line border-t px-4 py-2">{props.fates}</div>}
    </section>
  )
}
