import type { ChatMessage, ModelInfo, ModelRef } from '@palimpsest/core/domain'
import {
  type MessageActions,
  type MessageExtras,
  ShowChangeProvider,
  SubagentProvider,
  Thread,
  type ThreadHandle,
  ThreadSkeleton,
  WaitingCallsProvider,
  type WaysOut,
} from '@palimpsest/ui'
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { SubagentCard } from '../agent/subagent-card.tsx'
import type { SessionCommands } from '../composer/use-session-commands.ts'
import { liveMessage } from '../session/live-run.ts'
import { isUnsent, outgoingMessages } from '../session/outgoing.ts'
import type { SessionState } from '../session/session-state.ts'
import { shownStatus } from '../session/thread-view.ts'
import { waitingCalls } from '../session/waiting-calls.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { routePath } from '../stores/route.ts'
import { isTyping } from '../stores/shortcuts.ts'
import { useShortcuts } from '../stores/use-shortcuts.ts'
import { changesWords } from '../words/en-changes.ts'
import { historyWords as words } from '../words/en-history.ts'
import { followLink } from './follow-link.ts'

/** A thread as history lays it out: its messages in reading order, and the elements between and after them. */
type ThreadHistory = {
  messages: readonly ChatMessage[]
  extras: MessageExtras
  end: ReactNode
  spotOf: (messageId: string) => Spot
  /** Shows what these operations hid. */
  uncover: (operationIds: readonly string[]) => void
}

/** Where a message is: shown in a row, covered by operations, or not among what is loaded. */
type Spot =
  | { type: 'shown'; messageId: string }
  | { type: 'covered'; operationIds: readonly string[] }
  | { type: 'absent' }

/** A message to go to, once for each request. */
type Aim = { messageId: string; request: unknown }

/** Shows the model an output whole, or its condensed form again. */
type OutputCommands = {
  seeWhole(messageId: string, toolCallId: string, whole: boolean): void
  /** Makes it read a message again that is left out. */
  bringBack(messageId: string): void
}

export type ThreadPanelProps = {
  state: SessionState
  models: readonly ModelInfo[]
  commands: SessionCommands
  history: {
    readonly thread: ThreadHistory
    readonly commands: OutputCommands
    /** Another reply in the place of one; asks first when that hides later messages. */
    readonly replyAgain: (messageId: string, model?: ModelRef) => void
    /** Asks for a larger budget, then continues the reply that it ended. */
    readonly raiseBudget: () => void
    readonly waysOut: WaysOut | undefined
    /** Shows what became of a file that a call has changed. */
    readonly showChange: (path: string) => void
  }
  onLoadOlder: (far?: boolean) => void
}

/**
 * The thread of a session, opened at the message that the address names or else where it was last read in this tab:
 * first the pages down to there are loaded, and what hides the message is opened.
 */
export function ThreadPanel({ state, models, commands, history, onLoadOlder }: ThreadPanelProps) {
  const { history: memory } = useApp()
  const { sessionId, older } = state
  const messages = useShown(history.thread.messages, state)
  const actions = useMessageActions(sessionId, commands, history)
  const [place] = useState(() => memory.places.of(sessionId))
  const log = useRef<ThreadHandle>(null)
  const edge = useEdges(state, messages[0]?.id ?? null, onLoadOlder, log)
  const { aim, seeking } = useAim(state, history.thread, place?.messageId ?? null, onLoadOlder)
  const shownAim = edge === undefined ? aim : edge
  const opened = useRef(false)
  const loadOlder = useCallback(() => onLoadOlder(), [onLoadOlder])
  const { showChange: show } = history
  const showChange = useMemo(() => ({ label: changesWords.open, show }), [show])
  const waiting = useMemo(() => waitingCalls(sessionId, state.asks), [sessionId, state.asks])

  if (seeking && !opened.current) return <ThreadSkeleton />
  opened.current = true
  return (
    <WaitingCallsProvider value={waiting}>
      <SubagentProvider value={SubagentCard}>
        <ShowChangeProvider value={showChange}>
          <Thread
            messages={messages}
            status={shownStatus(state)}
            unsent={isUnsent(state.outgoing)}
            streamingId={liveMessage(state.live)?.id ?? null}
            models={models}
            actions={actions}
            extras={history.thread.extras}
            end={history.thread.end}
            onPlace={(next) => memory.places.keep(sessionId, next)}
            {...(place !== null && { place })}
            hasOlder={older.cursor !== null}
            loadingOlder={older.state === 'loading'}
            onLoadOlder={loadOlder}
            handle={log}
            {...(shownAim !== null && { aim: shownAim })}
          />
        </ShowChangeProvider>
      </SubagentProvider>
    </WaitingCallsProvider>
  )
}

/**
 * The keys that lead to the first and the newest message of the whole chat while the focus is in the thread or nowhere.
 * Home loads what is between; End, a scroll or a press ends that. Returns where they lead; undefined before the first of
 * them, and once the address points elsewhere.
 */
function useEdges(
  { older }: SessionState,
  firstId: string | null,
  onLoadOlder: ThreadPanelProps['onLoadOlder'],
  log: RefObject<ThreadHandle | null>,
): Aim | null | undefined {
  const route = useStore(useApp().router)
  const [asked, ask] = useState<{ from: typeof route; toFirst: boolean } | null>(null)
  const wanted = asked?.from === route ? asked : undefined
  const when = () => isAtThread(document.activeElement)
  useShortcuts([
    { keys: 'home', label: words.keys.first, when, run: () => ask({ from: route, toFirst: true }) },
    {
      keys: 'end',
      label: words.keys.last,
      when,
      run() {
        ask({ from: route, toFirst: false })
        log.current?.toEnd()
      },
    },
  ])
  const toFirst = wanted?.toFirst === true
  const loading = toFirst && older.cursor !== null && older.state !== 'failed'
  useEffect(() => {
    if (loading && older.state === 'idle') onLoadOlder(true)
  }, [loading, older.state, onLoadOlder])
  useEffect(() => {
    if (!loading) return
    const listening = new AbortController()
    const options = { signal: listening.signal, passive: true }
    for (const event of ['wheel', 'touchmove', 'pointerdown'])
      document.addEventListener(event, () => ask({ from: route, toFirst: false }), options)
    return () => listening.abort()
  }, [loading, route])
  const reached = toFirst && older.cursor === null && firstId !== null
  return useMemo(() => {
    if (wanted === undefined) return undefined
    return reached ? { messageId: firstId, request: wanted } : null
  }, [wanted, reached, firstId])
}

/** Keys of a field, a menu or a dialog are its own. */
function isAtThread(focused: Element | null): boolean {
  if (focused === null || focused === document.body) return true
  return focused.closest('[role=log]') !== null && !isTyping(focused)
}

/** The message that the address points at once it is shown; until then it is looked for in older pages and uncovered. */
function useAim(
  { sessionId, older }: SessionState,
  { spotOf, uncover }: ThreadHistory,
  place: string | null,
  onLoadOlder: ThreadPanelProps['onLoadOlder'],
) {
  const app = useApp()
  const { router } = app
  const route = useStore(router)
  const { anchor } = route
  const target = anchor ?? place
  const spot = useMemo(() => (target === null ? null : spotOf(target)), [target, spotOf])
  const seeking = spot?.type === 'absent' && older.cursor !== null && older.state !== 'failed'
  useEffect(() => {
    if (seeking && older.state === 'idle') onLoadOlder(true)
  }, [seeking, older.state, onLoadOlder])

  // Once it was shown, a person may fold away again what was opened for it.
  const [reached, setReached] = useState<typeof route | null>(null)
  const shown = spot?.type === 'shown'
  useEffect(() => {
    if (shown) setReached(route)
  }, [shown, route])
  const covered = anchor !== null && spot?.type === 'covered' && reached !== route ? spot : null
  useEffect(() => {
    if (covered !== null) uncover(covered.operationIds)
  }, [covered, uncover])

  const missing = anchor !== null && spot?.type === 'absent' && older.cursor === null
  useEffect(() => {
    if (missing && anchor !== null) void followLink(app, { sessionId, messageId: anchor })
  }, [missing, anchor, app, sessionId])

  const rowId = anchor !== null && spot?.type === 'shown' ? spot.messageId : null
  // The same address points again each time that it is gone to.
  const aim = useMemo(() => (rowId === null ? null : { messageId: rowId, request: route }), [rowId, route])
  return { aim, seeking: seeking || covered !== null }
}

/** What is read, then what is on its way to the server; that which replaces a message hides it and what follows. */
function useShown(read: readonly ChatMessage[], { outgoing }: SessionState): readonly ChatMessage[] {
  return useMemo(() => {
    const replaced = outgoing.find(({ replaces, state }) => replaces !== null && state.type !== 'failed')
    const cut = replaced === undefined ? -1 : read.findIndex(({ id }) => id === replaced.replaces)
    return [...(cut === -1 ? read : read.slice(0, cut)), ...outgoingMessages(outgoing)]
  }, [read, outgoing])
}

function useMessageActions(
  sessionId: string,
  commands: SessionCommands,
  { commands: outputs, replyAgain, raiseBudget, waysOut }: ThreadPanelProps['history'],
): MessageActions {
  return useMemo(
    () => ({
      linkFor: (messageId) => routePath({ sessionId, anchor: messageId }),
      onRegenerate: replyAgain,
      onContinue: commands.continue,
      onRaiseBudget: raiseBudget,
      onResend: (messageId) => commands.resend(messageId),
      onUseFullResult: outputs.seeWhole,
      onBringBack: outputs.bringBack,
      ...(waysOut && { waysOut }),
      onStop: commands.stop,
    }),
    [sessionId, commands, outputs, replyAgain, raiseBudget, waysOut],
  )
}
