import { type KeyboardEvent, type ReactNode, type RefObject, useId } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Kbd } from '../primitives/kbd.tsx'
import { useAskKeys } from './use-ask-keys.ts'

export type AskCardProps = {
  icon: ReactNode
  title: string
  /** Whose request it is, where there are two chats. */
  of?: string | undefined
  /** Requests that wait behind this one. */
  more: number
  /** Keys that lead to the card, as in `mod+shift+a`. */
  shortcut?: string | undefined
  /**
   * Whether there is text in the message field of its page, so that digits are text there. Left out where digits count inside of
   * the card only, as beside another card.
   */
  writing?: boolean | undefined
  children: ReactNode
  ref: RefObject<HTMLElement | null>
  /** Esc: the focus goes elsewhere, and what was entered stays. */
  onLeave: () => void
  /** A digit that was pressed and is no text. */
  onDigit?: (digit: number) => void
}

/** The digits while they would be text. */
const CHORD = 'ctrl+shift+1 … 9'

/** What a card passes to its frame. */
export type AskFrame = Omit<AskCardProps, 'icon' | 'title' | 'children' | 'onDigit'>

/** The frame of a request. It takes the focus only when it is asked to, and then no key of it replies. */
export function AskCard(props: AskCardProps) {
  const { icon, title, of, more, shortcut, writing, children, ref, onLeave, onDigit } = props
  const { ask } = useMessages()
  const titleId = useId()
  useAskKeys(ref, writing === undefined ? null : (onDigit ?? null))
  const handleKey = (event: KeyboardEvent) => {
    if (onDigit !== undefined && isDigit(event)) {
      event.preventDefault()
      onDigit(Number(event.key))
    }
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    event.preventDefault()
    onLeave()
  }
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-labelledby={titleId}
      onKeyDown={handleKey}
      className="enter mx-auto mb-2 flex max-h-[max(55dvh,100dvh-11rem)] md:max-h-[max(55dvh,100dvh-13.5rem)] w-full max-w-column flex-col overflow-hidden rounded-2xl border border-line-strong bg-raised shadow-raised"
    >
      <header className="flex items-center gap-2 border-line border-b bg-caution-wash px-4 py-2">
        {icon}
        <h2 id={titleId} className="min-w-0 grow text-base font-medium wrap-anywhere">
          {title}
          {of !== undefined && ` · ${of}`}
        </h2>
        {more > 0 && <span className="shrink-0 text-xs text-muted tabular-nums">{ask.more(more)}</span>}
        {shortcut !== undefined && (
          <span className="shrink-0 coarse:hidden">
            <Kbd keys={writing === true && onDigit !== undefined ? CHORD : shortcut} />
          </span>
        )}
      </header>
      {children}
    </section>
  )
}

/** A digit alone, not typed into a field. */
function isDigit({ key, target, ctrlKey, metaKey, altKey, repeat }: KeyboardEvent): boolean {
  const isPlain = /^[0-9]$/.test(key) && !ctrlKey && !metaKey && !altKey && !repeat
  return isPlain && !(target instanceof HTMLInputElement && target.type === 'text')
}

/** The number key of a reply; dimmed while it would be text. */
export function AskKey({ digit, dimmed }: { digit: number; dimmed: boolean }) {
  return (
    <span
      aria-hidden
      className={`text-xs tabular-nums transition coarse:hidden ${dimmed ? 'opacity-25' : 'opacity-60'}`}
    >
      {digit}
    </span>
  )
}
