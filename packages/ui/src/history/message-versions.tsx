import type { Role } from '@palimpsest/core/domain'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { arrowStep } from '../primitives/arrow-step.ts'
import { cx } from '../primitives/cx.ts'

export type MessageVersionsProps = {
  /** Who wrote the message. */
  author: Role
  /** From 0. */
  current: number
  total: number
  /** True where a step from another version has led here: the focus goes on with the person. */
  focused: boolean
  /** Called once it has the focus. */
  onFocused: () => void
  onSelect: (index: number) => void
}

/** At a message that was edited or asked for again: a step to each of its other versions. */
export function MessageVersions({
  author,
  current,
  total,
  focused,
  onFocused,
  onSelect,
}: MessageVersionsProps) {
  const { versions } = useMessages().history
  const place = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (!focused) return
    place.current?.focus({ preventScroll: true })
    onFocused()
  }, [focused, onFocused])
  const go = (step: number) => {
    const next = current + step
    if (next >= 0 && next < total) onSelect(next)
  }
  const handleKey = (event: KeyboardEvent) => {
    const step = arrowStep(event)
    if (step === null) return
    event.preventDefault()
    go(step)
  }
  return (
    <fieldset
      ref={place}
      tabIndex={-1}
      aria-label={author === 'user' ? versions.ofQuestion : versions.ofReply}
      onKeyDown={handleKey}
      className={cx(
        '-mx-icon flex items-center gap-x-0.5 rounded-md text-sm text-muted',
        author === 'user' && 'justify-end',
      )}
    >
      <IconButton small label={versions.previous} disabled={current === 0} onClick={() => go(-1)}>
        <ChevronLeft aria-hidden size={15} />
      </IconButton>
      <span aria-hidden className="px-0.5 text-rubric tabular-nums">
        {current + 1} / {total}
      </span>
      <span className="sr-only">{versions.position(current + 1, total)}</span>
      <IconButton small label={versions.next} disabled={current === total - 1} onClick={() => go(1)}>
        <ChevronRight aria-hidden size={15} />
      </IconButton>
    </fieldset>
  )
}
