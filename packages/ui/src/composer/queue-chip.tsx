import type { ChatMessage } from '@palimpsest/core/domain'
import { ArrowUpToLine, CornerDownRight, GripVertical, Paperclip, Pencil, Trash2 } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { messageText } from '../message/message-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { IconButton } from '../primitives/icon-button.tsx'
import type { QueueActions } from './queue-actions.ts'
import { QueueEditor } from './queue-editor.tsx'

export type QueueChipProps = {
  message: ChatMessage
  /** From 1. */
  position: number
  total: number
  faded: boolean
  actions: QueueActions
  /** Asks to move by so many places. */
  onStep: (step: 1 | -1) => void
  drag: Record<'onDragStart' | 'onDragOver' | 'onDrop', (event: DragEvent) => void> & {
    onDragEnd: () => void
  }
}

export function QueueChip({ message, position, total, faded, actions, onStep, drag }: QueueChipProps) {
  const words = useMessages().queue
  const [editing, setEditing] = useState(false)
  const text = messageText(message)
  if (editing) {
    return (
      <li>
        <QueueEditor
          text={text}
          onDone={(next) => {
            setEditing(false)
            if (next !== null) actions.onEdit(message.id, next)
          }}
        />
      </li>
    )
  }
  const files = message.parts.filter((part) => part.type === 'file').length
  return (
    <li
      {...drag}
      draggable={total > 1}
      className={cx(
        'group/chip flex items-center gap-1.5 rounded-md pl-1 hover:bg-wash',
        faded && 'opacity-40',
      )}
    >
      <button
        type="button"
        aria-label={words.move(position, total)}
        disabled={total < 2}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
          event.preventDefault()
          onStep(event.key === 'ArrowUp' ? -1 : 1)
        }}
        className="flex h-control-small w-5 shrink-0 cursor-grab items-center justify-center rounded-sm text-faint disabled:invisible coarse:w-11"
      >
        <GripVertical aria-hidden size={14} />
      </button>
      {message.metadata?.steer && (
        <span className="flex items-center gap-1 text-xs text-rubric">
          <CornerDownRight aria-hidden size={13} />
          {words.steers}
        </span>
      )}
      <span className="min-w-0 grow truncate text-base text-muted">{text}</span>
      {files > 0 && (
        <span className="flex items-center gap-1 text-xs text-faint">
          <Paperclip aria-hidden size={13} />
          {words.files(files)}
        </span>
      )}
      <span className="flex shrink-0">
        <IconButton small label={words.sendNow} onClick={() => actions.onSendNow(message.id)}>
          <ArrowUpToLine aria-hidden size={14} />
        </IconButton>
        <IconButton small label={words.edit} onClick={() => setEditing(true)}>
          <Pencil aria-hidden size={14} />
        </IconButton>
        <IconButton small label={words.remove} onClick={() => actions.onRemove(message.id)}>
          <Trash2 aria-hidden size={14} />
        </IconButton>
      </span>
    </li>
  )
}
