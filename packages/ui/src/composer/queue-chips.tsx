import type { ChatMessage } from '@palimpsest/core/domain'
import { type DragEvent, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import type { QueueActions } from './queue-chip.tsx'
import { QueueChip } from './queue-chip.tsx'

/** Why a queue waits for a person. */
export type QueuePause = 'stopped' | 'failed' | 'interrupted'

export type QueueChipsProps = {
  queue: readonly ChatMessage[]
  actions: QueueActions
  /** Whose queue it is, where there are two. */
  of?: string
  /** Why the queue waits for a person, if it does. */
  paused?: QueuePause | null
  /** Stops the reply that is written and pauses the queue; left out while nothing is written. */
  onStopAll?: (() => void) | undefined
}

/** Messages that wait for the run to end, in the order in which they will go. Nothing when none waits. */
export function QueueChips({ queue, actions, of, paused = null, onStopAll }: QueueChipsProps) {
  const words = useMessages().queue
  const [dragged, setDragged] = useState<string | null>(null)
  const [moved, setMoved] = useState('')
  if (queue.length === 0) return null
  // One word for all: their chips need not repeat it.
  const steering = paused === null && queue.every(({ metadata }) => metadata?.steer)
  const next = steering ? words.steersNext : words.next
  const waiting = onStopAll === undefined ? null : next(queue.length)
  const note = paused === null ? waiting : words.paused[paused]

  const move = (messageId: string, index: number) => {
    if (index < 0 || index >= queue.length) return
    actions.onMove(messageId, index)
    setMoved(words.moved(index + 1, queue.length))
  }
  const drag = (messageId: string, at: number) => ({
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', '')
      setDragged(messageId)
    },
    onDragOver: (event: DragEvent) => {
      if (dragged) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      if (dragged && dragged !== messageId) move(dragged, at)
    },
    onDragEnd: () => setDragged(null),
  })

  return (
    <section
      aria-label={of === undefined ? words.label : words.labelOf(of)}
      className="border-line border-b px-1.5 py-1.5"
    >
      <div className="flex items-center gap-3 pr-1 pl-2">
        <div className="min-w-0 grow pb-0.5 text-xs">
          <h2 className="text-faint">
            {(steering ? words.steering : words.heading)(queue.length)}
            {of !== undefined && ` · ${of}`}
          </h2>
          {note !== null && <p className="text-muted">{note}</p>}
        </div>
        {paused !== null && (
          <Button small variant="quiet" onClick={() => queue[0] && actions.onSendNow(queue[0].id)}>
            {words.continue}
          </Button>
        )}
        {onStopAll && (
          <Button small variant="quiet" title={words.stopAllHint} onClick={onStopAll}>
            {words.stopAll}
          </Button>
        )}
      </div>
      <ol className="max-h-44 overflow-y-auto">
        {queue.map((message, at) => (
          <QueueChip
            key={message.id}
            message={message}
            position={at + 1}
            total={queue.length}
            steers={!steering && message.metadata?.steer === true}
            faded={dragged === message.id}
            actions={actions}
            onStep={(step) => move(message.id, at + step)}
            drag={drag(message.id, at)}
          />
        ))}
      </ol>
      <p role="status" className="sr-only">
        {moved}
      </p>
    </section>
  )
}
