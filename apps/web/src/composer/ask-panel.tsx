import { LIMITS, type PermissionScope } from '@palimpsest/core/domain'
import { AskDock, type AskDockHandle } from '@palimpsest/ui'
import { useMemo, useRef, useState } from 'react'
import { alikeAsks, oldestAsk } from '../session/asks.ts'
import type { SessionState } from '../session/session-state.ts'
import { describeFailure } from '../state/describe-failure.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { useShortcuts } from '../stores/use-shortcuts.ts'
import { words } from '../words/en.ts'
import { NotifyOffer } from './notify-offer.tsx'

export type AskPanelProps = {
  state: Pick<SessionState, 'asks'> & Partial<Pick<SessionState, 'session'>>
  /** Whose requests these are, where there are two chats. */
  of?: string
  /** Whether the message field has text; left out where digits count inside of the card only. */
  writing?: boolean
  /** True in a list of requests: no shortcut leads to it, and notifications are not offered there. */
  listed?: true
  /** Focuses the message field. */
  onLeave: () => void
}

/** Leads to the request. */
const SHORTCUT = 'mod+shift+a'

/** Beside the offer the card is lower, so that the message field stays in view. */
const WITH_OFFER = 'md:has-data-offer:[&_section]:max-h-[max(45dvh,100dvh-17rem)]'

const NONE: ReadonlySet<string> = new Set()

/** The oldest request of a session's runs, with the reply that is being given. Nothing while nothing is asked. */
export function AskPanel({ state, of, writing, listed, onLeave }: AskPanelProps) {
  const { sessionApi, toasts, askDrafts } = useApp()
  const dock = useRef<AskDockHandle>(null)
  const [sending, setSending] = useState<string | null>(null)
  /** Requests that have a reply, until the server reports them as resolved. */
  const [replied, setReplied] = useState(NONE)
  const { ask, askId, more } = oldestAsk(state.asks, replied)
  const alike = alikeAsks(state.asks, ask, replied)
  const store = useMemo(() => askDrafts.of(askId ?? ''), [askDrafts, askId])
  const draft = useStore(store)
  useShortcuts(
    ask === null || listed
      ? []
      : [{ keys: SHORTCUT, label: words.shortcuts.request, run: () => dock.current?.focus() }],
  )

  /** Another reply may have come first: then this one changes nothing. */
  async function send(call: Promise<unknown>): Promise<void> {
    if (askId === null) return
    // The next request may have its reply on the way by then.
    const end = () => setSending((current) => (current === askId ? null : current))
    setSending(askId)
    try {
      await call
    } catch (error) {
      const { code, message } = describeFailure(error)
      if (code !== 'CONFLICT') {
        end()
        toasts.add({ tone: 'error', message })
        return
      }
      toasts.add({ tone: 'info', message: words.answeredElsewhere })
    }
    askDrafts.forget(askId)
    setReplied((others) => new Set([...others, askId]))
    end()
  }

  function deny(): void {
    if (askId === null) return
    const reason = draft.reason.trim()
    void send(
      sessionApi.replyToPermission({ permissionId: askId, reply: 'deny', ...(reason !== '' && { reason }) }),
    )
  }

  function allow(scope: PermissionScope, pattern?: string): void {
    if (askId === null) return
    const given = { permissionId: askId, reply: scope, ...(pattern !== undefined && { pattern }) }
    void send(sessionApi.replyToPermission(given))
  }

  /** One after the other, so that a request that somebody else has denied leaves the others as they are. */
  async function allowAll(): Promise<void> {
    const ids = alike.map(({ id }) => id)
    // None of them is shown meanwhile.
    setReplied((others) => new Set([...others, ...ids]))
    for (const [at, id] of ids.entries()) {
      try {
        await sessionApi.replyToPermission({ permissionId: id, reply: 'once' })
      } catch (error) {
        const { code, message } = describeFailure(error)
        if (code !== 'CONFLICT') {
          const open = new Set(ids.slice(at))
          setReplied((others) => new Set([...others].filter((one) => !open.has(one))))
          toasts.add({ tone: 'error', message })
          return
        }
        toasts.add({ tone: 'info', message: words.answeredElsewhere })
      }
      askDrafts.forget(id)
    }
  }

  return (
    <div className={WITH_OFFER}>
      {!listed && ask !== null && <NotifyOffer />}
      <AskDock
        ref={dock}
        ask={ask}
        more={more}
        alike={alike}
        writing={writing}
        {...(!listed && { shortcut: SHORTCUT })}
        {...(of !== undefined && { of })}
        busy={sending !== null && sending === askId}
        draft={draft}
        maxCharacters={LIMITS.replyCharacters}
        onDraftChange={store.set}
        hasProject={state.session?.workspaceRoot !== null}
        onAllow={allow}
        onAllowAll={() => void allowAll()}
        onDeny={deny}
        onAnswer={(answers) => askId !== null && void send(sessionApi.answer(askId, answers))}
        onRefuse={(refused) => askId !== null && void send(sessionApi.refuse(askId, refused))}
        onLeave={onLeave}
      />
    </div>
  )
}
