import { isRunning, type ModelRef } from '@palimpsest/core/domain'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useWorkspace } from '../list/workspace-context.tsx'
import type { useModelChoice } from '../model/use-model-choice.ts'
import type { InputPart } from '../session/input-part.ts'
import type { SessionState } from '../session/session-state.ts'
import type { SessionStore } from '../session/session-store.ts'
import { shownMessages } from '../session/thread-view.ts'
import { useApp } from '../stores/app-context.tsx'
import type { HistoryCommand, HistoryMemory } from '../stores/history-memory.ts'
import { historyCommands } from './history-commands.ts'
import { laterThanReply } from './later-than-reply.ts'
import { type AskedRewind, useHistoryCommands } from './use-history-commands.ts'
import { useHistoryView } from './use-history-view.ts'
import { useLineage } from './use-lineage.ts'
import { useModelSwitch } from './use-model-switch.tsx'
import { useThreadHistory } from './use-thread-history.tsx'

/** Keys of commands; the help lists them. */
const KEYS = [
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
  const { newChat } = useWorkspace()
  const { sessionId } = state
  const [view, change] = useHistoryView(sessionId)
  const [dialog, setDialog] = useState<'prompts' | 'tree' | null>(null)
  const [askedRewind, askRewind] = useState<AskedRewind | null>(null)
  const endAsking = useCallback(() => askRewind(null), [])
  const commands = useHistoryCommands(store, askRewind)
  const lineage = useLineage(sessionId, state.historyMark, state.session !== null)
  const modelSwitch = useModelSwitch(state, choice.models, picking, {
    choose: choice.choose,
    commands,
    newChat,
  })

  const onReplace = useCallback(
    (messageId: string, parts: InputPart[], model: ModelRef | null) => {
      change({ editing: null })
      commands.stopFirst(() => store.send({ parts, model, steer: false, replaces: messageId }))
    },
    [change, commands, store],
  )
  const replyAgain = useCallback(
    (messageId: string, model?: ModelRef) => {
      const hides = laterThanReply(shownMessages(store.get()), messageId)
      if (hides === 0) reply(messageId, model)
      else askRewind({ type: 'reply', messageId, hides, model })
    },
    [store, reply],
  )
  const openTree = useCallback(() => setDialog('tree'), [])
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
    store,
    askedRewind,
    endAsking,
    reply,
    replyAgain,
    dismissCompaction: store.dismissCompaction,
    newChat,
    busy: isRunning(state.status),
    models: choice.models,
  }
  const named = historyCommands(history, useApp())
  usePublished(named, memory)
  const shortcuts = KEYS.flatMap(([name, keys]) => {
    const command = named.find((one) => one.name === name)
    return command === undefined ? [] : [{ keys, label: command.description, run: command.run }]
  })
  return { ...history, named, shortcuts }
}

/** Hands the commands of the session that is open to the palette, which asks for them by name. */
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
