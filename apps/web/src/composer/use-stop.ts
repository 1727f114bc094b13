import { enteredText, useMessages } from '@palimpsest/ui'
import { useEffect, useRef } from 'react'
import { oldestAsk } from '../session/asks.ts'
import type { SessionState } from '../session/session-state.ts'
import { useApp } from '../stores/app-context.tsx'
import { words } from '../words/en.ts'
import type { useDraft } from './use-draft.ts'
import type { SessionCommands } from './use-session-commands.ts'

const NONE: ReadonlySet<string> = new Set()

/**
 * Stops the run of a session, by the button or by Esc. While the run waits for the person, Esc says so and offers to stop
 * it. What was entered for the request is in the message field afterwards.
 */
export function useStop(
  { status, asks }: Pick<SessionState, 'status' | 'asks'>,
  commands: SessionCommands,
  draft: ReturnType<typeof useDraft>,
) {
  const { askDrafts, toasts } = useApp()
  const { waiting } = useMessages().thread
  /** The note of this chat: that of another one stops another run. */
  const note = useRef<string | null>(null)
  useEffect(
    () => () => {
      if (note.current !== null) toasts.dismiss(note.current)
    },
    [toasts],
  )

  function stop(): void {
    commands.stop()
    const { askId } = oldestAsk(asks, NONE)
    const entered = askId === null ? '' : enteredText(askDrafts.of(askId).get())
    if (askId === null || entered === '') return
    draft.add(entered)
    askDrafts.forget(askId)
    toasts.add({ tone: 'info', message: words.enteredKept })
  }

  function onEscape(): void {
    if (status.state !== 'waiting') {
      stop()
      return
    }
    const message = waiting[status.waitingOn]
    if (toasts.get().some((toast) => toast.id === note.current && toast.message === message)) return
    note.current = toasts.add({ tone: 'info', message, action: { label: words.stopRun, onAction: stop } })
  }

  return { stop, onEscape }
}
