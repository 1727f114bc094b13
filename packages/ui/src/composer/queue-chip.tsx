import type { ChatMessage } from '@palimpsest/core/domain'
import { ArrowUpToLine, CornerDownRight, GripVertical, Paperclip, Pencil, Trash2 } from 'lucide-react'
import type { DragEvent, MouseEvent } from 'react'
import { messageText } from '../message/message-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { cx } from '../primitives/cx.ts'
import { useEditInPlace } from '../primitives/use-edit-in-place.ts'
import { QueueEditor } from './queue-editor.tsx'

export type QueueActions = {
  onEdit: (messageId: string, text: string) => void
  /** Called with the unsaved text of an edit when its chip is removed. */
  onLeft: (text: string) => void
  /** `index` is the place in the queue after the move, from 0. */
  onMove: (messageId: string, index: number) => void
  onSendNow: (messageId: string) => void
  onRemove: (messageId: string) => void
}

export type QueueChipProps = {
  message: ChatMessage
  /** From 1. */
  position: number
  total: number
  /** Says that it is for the running reply. */
  steers: boolean
  faded: boolean
  actions: QueueActions
  /** Asks to move by so many places. */
  onStep: (step: 1 | -1) => void
  drag: Record<'onDragStart' | 'onDragOver' | 'onDrop', (event: DragEvent) => void> & {
    onDragEnd: () => void
  }
}

export function QueueChip({
  message,
  position,
  total,
  steers,
  faded,
  actions,
  onStep,
  drag,
}: QueueChipProps) {
  const words = useMessages().queue
  const { editing, begin, end, opener } = useEditInPlace()
  const text = messageText(message)
  if (editing) {
    return (
      <li>
        <QueueEditor
          text={text}
          onLeft={actions.onLeft}
          onDone={(next) => {
            end()
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
      {steers && (
        <span className="flex items-center gap-1 text-xs text-muted">
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
        <IconButton small label={words.sendNow} onClick={leaving(actions.onSendNow, message.id)}>
          <ArrowUpToLine aria-hidden size={14} />
        </IconButton>
        <IconButton small ref={opener} label={words.edit} onClick={begin}>
          <Pencil aria-hidden size={14} />
        </IconButton>
        <IconButton small label={words.remove} onClick={leaving(actions.onRemove, message.id)}>
          <Trash2 aria-hidden size={14} />
        </IconButton>
      </span>
    </li>
  )
}

/**
 * For a button whose chip goes with what it does: the focus passes to its like in the next chip, else in the one before,
 * else to the message field.
 */
function leaving(act: (messageId: string) => void, messageId: string) {
  return ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const chip = currentTarget.closest('li')
    const place = [...(currentTarget.parentElement?.children ?? [])].indexOf(currentTarget)
    const neighbour = chip?.nextElementSibling ?? chip?.previousElementSibling
    const heir =
      neighbour?.lastElementChild?.children[place] ??
      currentTarget.closest('.composer')?.querySelector('textarea')
    if (heir instanceof HTMLElement) heir.focus()
    act(messageId)
  }
}
