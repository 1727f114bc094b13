import { useEffect, useRef } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'

export type QueueEditorProps = {
  text: string
  /** The new text, or null when it was left as it is. */
  onDone: (text: string | null) => void
  /** Called with the unsaved text when the field unmounts. */
  onLeft: (text: string) => void
}

/** A queued message as a field: Enter saves, Esc leaves. */
export function QueueEditor({ text, onDone, onLeft }: QueueEditorProps) {
  const { queue, app } = useMessages()
  const field = useRef<HTMLTextAreaElement>(null)
  const written = useRef<string | null>(null)
  const left = useRef(onLeft)
  left.current = onLeft
  useEffect(
    () => () => {
      if (written.current !== null) left.current(written.current)
    },
    [],
  )
  const changed = () => {
    const next = field.current?.value.trim() ?? ''
    return next === '' || next === text ? null : next
  }
  const finish = (next: string | null) => {
    written.current = null
    onDone(next)
  }
  const save = () => finish(changed())
  return (
    <div className="p-1">
      <textarea
        ref={field}
        aria-label={queue.editLabel}
        defaultValue={text}
        rows={2}
        onChange={() => {
          written.current = changed()
        }}
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(text.length, text.length)}
        // biome-ignore lint/a11y/noAutofocus: the reader has just asked to edit this
        autoFocus
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') {
            event.stopPropagation()
            finish(null)
          }
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            save()
          }
        }}
        className="max-h-40 w-full resize-none rounded-md border border-line-strong bg-paper px-2.5 py-1.5 field-sizing-content coarse:min-h-11"
      />
      <div className="flex justify-end gap-1.5 pt-1">
        <Button small variant="quiet" onClick={() => finish(null)}>
          {app.cancel}
        </Button>
        <Button small onClick={save}>
          {queue.save}
        </Button>
      </div>
    </div>
  )
}
