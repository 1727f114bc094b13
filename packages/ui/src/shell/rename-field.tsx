import { LIMITS } from '@palimpsest/core/domain'
import { useRef } from 'react'
import { useMessages } from '../messages/messages-context.tsx'

export type RenameFieldProps = {
  title: string
  /** Called once, with the new title, or null when it was left as it is. */
  onDone: (title: string | null) => void
}

/** The title as a field: Enter or leaving it saves, Esc leaves it as it was. */
export function RenameField({ title, onDone }: RenameFieldProps) {
  const { sidebar } = useMessages()
  const done = useRef(false)
  const finish = (value: string | null) => {
    if (done.current) return
    done.current = true
    const next = value?.trim()
    onDone(next && next !== title ? next : null)
  }
  return (
    <input
      aria-label={sidebar.renameLabel}
      defaultValue={title}
      maxLength={LIMITS.titleCharacters}
      ref={(field) => {
        field?.focus()
        field?.select()
      }}
      onBlur={(event) => finish(event.currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') {
          // The focus returns to the button that opened the field: this Enter must not press it again.
          event.preventDefault()
          finish(event.currentTarget.value)
        }
        if (event.key === 'Escape') finish(null)
      }}
      className="h-8 w-full min-w-0 rounded-sm border border-line-strong bg-raised px-2 text-base coarse:h-11"
    />
  )
}
