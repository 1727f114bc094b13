import { type FileChoices, isRunning, type ModelRef } from '@palimpsest/core/domain'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useWorkspace } from '../list/workspace-context.tsx'
import type { useModelChoice } from '../model/use-model-choice.ts'
import type { InputPart } from '../session/input-part.ts'
import type { SessionState } from '../session/session-state.ts'
import type { SessionStore } from '../session/session-store.ts'
import { shownMessages } from '../session/thread-view.ts'
import { useApp } from '../stores/app-context.tsx'
import type { HistoryCommand, HistoryMemory } from '../stores/history-memory.ts'
import { historyCommands } from './actions/history-commands.ts'
import type { HistoryDialog } from './actions/history-dialog.ts'
import { laterThanReply } from './actions/later-than-reply.ts'
import { type AskedReply, useHistoryCommands } from './actions/use-history-commands.ts'
import { useHistoryView } from './actions/use-history-view.ts'
import { useLineage } from './actions/use-lineage.ts'
import { useModelSwitch } from './actions/use-model-switch.tsx'
import { useThreadHistory } from './thread/use-thread-history.tsx'
import { waysOutOf } from './ways-out.ts'

/** Keys of commands; the help lists them. */
const KEYS = [
  ['find', 'mod+f'],
  ['questions', 'mod+shift+e'],
  ['timeline', 'mod+shift+y'],
  ['tree', 'mod+shift+b'],
  ['side', 'mod+shift+l'],
] as const

export type History = ReturnType<typeof useHistory>

/** Everything about history that the page of one session shows and does. */
export function useHistory(
  store: SessionStore,
  state: SessionState,
  choice: ReturnType<typeof useModelChoice>,
  picking: boolean,
  reply: (messageId: string, model?: ModelRef) => void,
) {
  const { history: memory } = useApp()
  const { newChat, makeWish } = useWorkspace()
  const { sessionId } = state
  const [view, change] = useHistoryView(sessionId)
  const [dialog, setDialog] = useState<HistoryDialog | null>(null)
  const find = useFindRequests()
  const [askedReply, askReply] = useState<AskedReply | null>(null)
  const endAsking = useCallback(() => askReply(null), [])
  const [previewed, preview] = useState<string | null>(null)
  const [rail, setRail] = useState(false)
  const [changed, setChanged] = useState<string | null>(null)
  const commands = useHistoryCommands(store)
  const lineage = useLineage(sessionId, state.historyMark, state.session !== null)
  const modelSwitch = useModelSwitch(state, choice.models, picking, {
    choose: choice.choose,
    commands,
    newChat,
  })

  const onReplace = useCallback(
    async (messageId: string, parts: InputPart[], model: ModelRef | null, files: FileChoices) => {
      change({ editing: null })
      const send = () => store.send({ parts, model, steer: false, replaces: messageId, files })
      const isSent = await commands.stopFirst(send)
      if (!isSent) change({ editing: messageId })
      return isSent
    },
    [change, commands, store],
  )
  const replyAgain = useCallback(
    (messageId: string, model?: ModelRef) => {
      const hides = laterThanReply(shownMessages(store.get()), messageId)
      if (hides === 0) reply(messageId, model)
      else askReply({ messageId, hides, model })
    },
    [store, reply],
  )
  const restore = useCallback(
    (pointId: string, files: FileChoices = []) => {
      preview(null)
      commands.restoreTo(pointId, files)
    },
    [commands],
  )
  const showChange = useCallback(
    (path: string) => {
      setChanged(path)
      change({ panel: 'changes' })
    },
    [change],
  )
  const openTree = useCallback(() => setDialog('tree'), [])
  const raiseBudget = useCallback(() => setDialog('raise'), [])
  const isExhausted = shownMessages(state).at(-1)?.metadata?.error?.code === 'CONTEXT_EXHAUSTED'
  const usable = state.contextWindow?.usable ?? null
  const waysOut = useMemo(
    () => (isExhausted ? waysOutOf(shownMessages(store.get()), usable, commands, makeWish) : undefined),
    [isExhausted, store, usable, commands, makeWish],
  )
  const thread = useThreadHistory({
    store,
    state,
    view,
    change,
    commands,
    lineage,
    models: choice.models,
    model: choice.model,
    onReplace,
    onTree: openTree,
  })

  const history = {
    state,
    view,
    change,
    commands,
    lineage,
    modelSwitch,
    thread,
    dialog,
    setDialog,
    find,
    store,
    askedReply,
    endAsking,
    /** The restore point that is looked at; null for the present. */
    previewed,
    preview,
    restore,
    /** Whether the rail is shown on a narrow screen. */
    rail,
    setRail,
    reply,
    replyAgain,
    raiseBudget,
    waysOut,
    /** The file that the list of changes shows first. */
    changed,
    showChange,
    dismissCompaction: store.dismissCompaction,
    newChat,
    busy: isRunning(state.status),
    models: choice.models,
  }
  const named = historyCommands(history, useApp())
  usePublished(named, memory)
  const shortcuts = KEYS.flatMap(([name, keys]) => {
    const command = named.find((one) => one.name === name)
    if (command === undefined) return []
    const when = name === 'find' ? () => mayFind(store) : undefined
    return [{ keys, label: command.description, run: command.run, ...(when && { when }) }]
  })
  return { ...history, named, shortcuts }
}

/** Whether find in the thread is open, and how often it was asked for; 0 while it is closed. */
function useFindRequests() {
  const [request, setRequest] = useState(0)
  return useMemo(
    () => ({ request, open: () => setRequest((last) => last + 1), close: () => setRequest(0) }),
    [request],
  )
}

/** In its own field the keys open the browser's find, and over a dialog or a chat without a message too. */
function mayFind(store: SessionStore): boolean {
  const inField = document.activeElement?.closest('search, [role=dialog], [role=alertdialog]')
  const { phase, messages } = store.get()
  return !inField && (phase === 'loading' || messages.length > 0)
}

/** Gives the palette the commands of the open session, which it looks up by name. */
function usePublished(named: readonly HistoryCommand[], { commands }: HistoryMemory): void {
  const latest = useRef(named)
  latest.current = named
  useEffect(() => {
    commands.set(
      latest.current.map((command) => ({
        ...command,
        run: () => latest.current.find(({ name }) => name === command.name)?.run(),
      })),
    )
    return () => commands.set([])
  }, [commands])
}
