import {
  Button,
  ExactText,
  isPlainClick,
  Markdown,
  type SubagentRunProps,
  ToolCall,
  toolTarget,
  toolTitle,
  useFormat,
  useMessages,
  visibleText,
  visibleWords,
  WaitingCallsProvider,
} from '@palimpsest/ui'
import { ChevronRight } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useWorkspace } from '../list/workspace-context.tsx'
import type { SessionState } from '../session/session-state.ts'
import { shownMessages } from '../session/thread-view.ts'
import { waitingCalls } from '../session/waiting-calls.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { agentWords } from '../words/en-agent.ts'
import {
  type Activity,
  activityOf,
  failureOf,
  isOn,
  phaseOf,
  type SubagentEnd,
  type SubagentFacts,
  type SubagentFailure,
  type SubagentPhase,
  stepsOf,
  taskCallOf,
  taskReply,
} from './subagent-view.ts'

const { subagent: words, loading, again } = agentWords

/** The run of a subagent in its call: what it does now or how it ended, Stop, the way to its session, and its last steps. */
export function SubagentCard({ part, state, sessionId }: SubagentRunProps) {
  const { chats, sessionApi, toasts, watchSession } = useApp()
  const [open, setOpen] = useState(false)
  const [stopping, setStopping] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const [store] = useState(() => watchSession(sessionId))
  const session = useStore(store)
  const listed = useStore(chats).statuses[sessionId]
  const reply = taskReply(shownMessages(session))
  const call = taskCallOf(part)
  const facts = { call, state, status: listed ?? session.status, reply }
  const phase = phaseOf(facts)
  const on = isOn(phase)
  const wanted = on || open || (phase === null && session.phase !== 'missing')
  useEffect(() => {
    if (!wanted) return undefined
    store.start()
    return store.stop
  }, [store, wanted])

  async function stop(): Promise<void> {
    setStopping(true)
    await toasts.guard(sessionApi.abort(sessionId, null, { pauseQueue: true }))
    // Stop is gone with what it was for.
    toggle.current?.focus()
    setStopping(false)
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div
      role="group"
      aria-label={words.label(call.agent)}
      className="mr-2 mb-1.5 ml-8 rounded-md border border-line max-md:mr-0 max-md:ml-2"
    >
      <div className="flex items-center gap-1 pr-1">
        <button
          ref={toggle}
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-9 min-w-0 grow items-center gap-2 rounded-md px-2 py-1 text-left text-sm hover:bg-wash coarse:min-h-11"
        >
          <ChevronRight
            aria-hidden
            size={14}
            className={`shrink-0 text-faint transition ${open ? 'rotate-90' : ''}`}
          />
          <span className="max-w-1/2 shrink-0 truncate font-medium">{visibleText(call.agent)}</span>
          <Line facts={facts} phase={phase} />
        </button>
        {on && (
          <Button
            small
            className="coarse:my-1 coarse:min-h-11"
            aria-label={words.stopOf(call.agent)}
            disabled={stopping}
            onClick={() => void stop()}
          >
            {stopping ? words.stopping : words.stop}
          </Button>
        )}
        <OpenLink sessionId={sessionId} agent={call.agent} />
      </div>
      {open && (
        <div className="space-y-1 border-line border-t px-2 py-2">
          <Steps session={session} facts={facts} growing={on} onRetry={store.refresh} />
        </div>
      )}
    </div>
  )
}

type LineProps = { facts: SubagentFacts; phase: SubagentPhase }

const LINE = 'min-w-0 grow truncate'

/** What the subagent does now, or how it ended. */
function Line({ facts, phase }: LineProps) {
  const { tool } = useMessages()
  switch (phase) {
    case null:
      return <span className={`${LINE} text-muted`}>{words.background}</span>
    case 'waiting':
      return <span className={`${LINE} text-caution`}>{tool.waiting}</span>
    case 'retrying':
      return <span className={`${LINE} text-caution`}>{words.retrying}</span>
    case 'working':
      return <ActivityLine activity={activityOf(facts.reply)} />
    case 'done':
    case 'stopped':
    case 'failed':
      return <EndLine facts={facts} end={phase} />
  }
}

function ActivityLine({ activity }: { activity: Activity }) {
  const { tool } = useMessages()
  if (activity.type === 'call')
    return (
      <span className={`${LINE} text-muted`}>
        {visibleText(toolTitle(activity.part, tool.titles))}{' '}
        <span className="exact-inline font-code text-xs">
          <ExactText text={toolTarget(activity.part)} />
        </span>
      </span>
    )
  return (
    <span dir="auto" className={`${LINE} text-muted`}>
      {activity.type === 'text' ? visibleWords(activity.line) : words[activity.type]}
    </span>
  )
}

/** How the subagent has ended, why, and after how long. */
function EndLine({ facts, end }: { facts: SubagentFacts; end: SubagentEnd }) {
  const { call, reply } = facts
  const format = useFormat()
  const { tool } = useMessages()
  const ms = call.durationMs ?? (call.background ? reply?.metadata?.durationMs : undefined)
  const said = end === 'failed' ? failureText(failureOf(facts), tool.failed) : tool[end]
  return (
    <span className={`${LINE} ${end === 'failed' ? 'text-danger' : 'text-muted'}`}>
      {ms === undefined ? said : `${said} · ${format.duration(ms)}`}
    </span>
  )
}

function failureText(failure: SubagentFailure, failed: string): string {
  switch (failure.type) {
    case 'failed':
      return failure.reason === null ? failed : words.failedBecause(failure.reason)
    case 'not-started':
      return words.notStarted(failure.reason)
    case 'interrupted':
      return words.interrupted
  }
}

function OpenLink({ sessionId, agent }: { sessionId: string; agent: string }) {
  const { actions } = useWorkspace()
  return (
    <a
      href={actions.hrefFor(sessionId)}
      aria-label={words.openOf(agent)}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        actions.onSelect(sessionId)
      }}
      className="inline-flex min-h-control-small shrink-0 items-center rounded-md px-2 text-sm text-muted underline underline-offset-2 hover:bg-wash hover:text-ink coarse:min-h-11"
    >
      {words.open}
    </a>
  )
}

type StepsProps = { session: SessionState; facts: SubagentFacts; growing: boolean; onRetry: () => void }

/** The last calls and the last text of the subagent. */
function Steps({ session: { sessionId, phase, asks }, facts: { reply }, growing, onRetry }: StepsProps) {
  const waiting = useMemo(() => waitingCalls(sessionId, asks), [sessionId, asks])
  if (phase === 'missing') return <p className="text-sm text-muted">{words.gone}</p>
  if (typeof phase === 'object')
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 text-sm">
        <p className="text-danger">{phase.failed}</p>
        <Button small onClick={onRetry}>
          {again}
        </Button>
      </div>
    )
  if (reply === null)
    return <p className="text-sm text-muted">{phase === 'loading' ? loading : words.empty}</p>
  const { calls, earlier, text } = stepsOf(reply, growing)
  return (
    <WaitingCallsProvider value={waiting}>
      {earlier > 0 && <p className="px-2 text-xs text-muted">{words.earlier(earlier)}</p>}
      {calls.map((part) => (
        <ToolCall key={part.toolCallId} part={part} live={growing} />
      ))}
      {text !== '' && (
        <div className="prose-note px-2">
          <Markdown text={text} streaming={growing} />
        </div>
      )}
      {text === '' && calls.length === 0 && <p className="px-2 text-sm text-muted">{words.empty}</p>}
    </WaitingCallsProvider>
  )
}
