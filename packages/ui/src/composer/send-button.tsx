import { ArrowUp, ListPlus, Square } from 'lucide-react'
import { useMessages } from '../messages/messages-context.tsx'
import { Tooltip } from '../popups/tooltip.tsx'
import { cx } from '../primitives/cx.ts'
import { Kbd } from '../primitives/kbd.tsx'
import { useMediaQuery } from '../primitives/use-media-query.ts'

export type SendButtonProps = {
  running: boolean
  empty: boolean
  disabled: boolean
  onSend: () => void
  onStop: () => void
}

const ROUND = 'flex size-8 shrink-0 items-center justify-center rounded-full transition coarse:size-11'

/**
 * Send; while a run is on and nothing is written, Stop in the same place. A finger, which has no Esc, finds Stop beside
 * Queue as well.
 */
export function SendButton({ running, empty, disabled, onSend, onStop }: SendButtonProps) {
  const { composer } = useMessages()
  const touch = useMediaQuery('(pointer: coarse)')
  if (running && empty) return <StopButton onStop={onStop} className="bg-ink text-inverse hover:opacity-85" />
  const label = running ? composer.queue : composer.send
  const off = empty || disabled
  return (
    <>
      {running && touch && <StopButton onStop={onStop} className="bg-wash-strong text-ink" />}
      <Tooltip content={<Named label={label} keys="enter" />}>
        <button
          type="button"
          aria-label={label}
          aria-disabled={off}
          onClick={() => !off && onSend()}
          className={cx(ROUND, off ? 'bg-wash-strong text-faint' : 'bg-ink text-inverse hover:opacity-85')}
        >
          {running ? <ListPlus aria-hidden size={16} /> : <ArrowUp aria-hidden size={17} />}
        </button>
      </Tooltip>
    </>
  )
}

function StopButton({ onStop, className }: Pick<SendButtonProps, 'onStop'> & { className: string }) {
  const { composer } = useMessages()
  return (
    <Tooltip content={<Named label={composer.stop} keys="esc" />}>
      <button type="button" aria-label={composer.stop} onClick={onStop} className={cx(ROUND, className)}>
        <Square aria-hidden size={12} fill="currentColor" />
      </button>
    </Tooltip>
  )
}

function Named({ label, keys }: { label: string; keys: string }) {
  return (
    <span className="flex items-center gap-2">
      {label} <Kbd keys={keys} />
    </span>
  )
}
