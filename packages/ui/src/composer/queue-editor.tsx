import { useRef } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'

export type QueueEditorProps = {
  text: string
  /** The new text, or null when it was left as it is. */
  onDone: (text: string | null) => void
}

/** A queued message as a field: Enter saves, Esc leaves. */
export function QueueEditor({ text, onDone }: QueueEditorProps) {
  const { queue, app } = useMessages()
  const field = useRef<HTMLTextAreaElement>(null)
  const save = () => {
    const next = field.current?.value.trim() ?? ''
    onDone(next === '' || next === text ? null : next)
  }
  return (
    <div className="p-1">
      <textarea
        ref={field}
        aria-label={queue.editLabel}
        defaultValue={text}
        rows={2}
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(text.length, text.length)}
        // biome-ignore lint/a11y/noAutofocus: the reader has just asked to edit this
        autoFocus
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') {
            event.stopPropagation()
            onDone(null)
          }
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            save()
          }
        }}
        className="max-h-40 w-full resize-none rounded-md border border-line-strong bg-paper px-2.5 py-1.5 field-sizing-content"
      />
      <div className="flex justify-end gap-1.5 pt-1">
        <Button small variant="quiet" onClick={() => onDone(null)}>
          {app.cancel}
        </Button>
        <Button small onClick={save}>
          {queue.save}
        </Button>
      </div>
    </div>
  )
}
