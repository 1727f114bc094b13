import { createId } from '@palimpsest/core/domain'
import {
  BareBar,
  type ComposerHandle,
  ErrorPanel,
  messageText,
  type SendMode,
  ThreadSkeleton,
  useMessages,
} from '@palimpsest/ui'
import { useCallback, useEffect, useRef, useState } from 'react'
import { SubagentNote } from '../agent/agent-parts.tsx'
import { useNewChat } from '../agent/folder-choice.tsx'
import { useAgentChoice } from '../agent/use-agent-choice.ts'
import { AskPanel } from '../composer/ask-parts.tsx'
import { sendAs } from '../composer/send-as.ts'
import { useDraft } from '../composer/use-draft.ts'
import { useSessionCommands } from '../composer/use-session-commands.ts'
import { useStop } from '../composer/use-stop.ts'
import { FindPanel, HistoryDialogs, HistoryPanels, PreviewPanel, Rail } from '../history/history-parts.tsx'
import { useEscapeTwice } from '../history/rewind/use-escape-twice.ts'
import { ThreadPanel } from '../history/thread/thread-parts.tsx'
import { useHistory } from '../history/use-history.tsx'
import { useWorkspace } from '../list/workspace-context.tsx'
import { useModelChoice } from '../model/use-model-choice.ts'
import type { InputPart } from '../session/input-part.ts'
import { shownMessages } from '../session/thread-view.ts'
import { foundName, pageName } from '../session/version-name.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { copyAndTell } from '../stores/copy-text.ts'
import { routePath } from '../stores/route.ts'
import { useDocumentTitle } from '../stores/use-document-title.ts'
import { useShortcuts } from '../stores/use-shortcuts.ts'
import { words } from '../words/en.ts'
import { ArchivedBar } from './archived-bar.tsx'
import { ComposerPanel } from './composer-panel.tsx'
import { MissingChat } from './missing-chat-parts.tsx'
import { NewChat } from './new-chat.tsx'
import { SessionBar } from './session-bar-parts.tsx'

export type SessionPageProps = {
  sessionId: string
  /** True for a chat that has no message yet and that the server does not know. */
  fresh: boolean
}

/** One session: its thread and composer, or why there is none. Mount a new one for another session. */
export function SessionPage({ sessionId, fresh }: SessionPageProps) {
  const app = useApp()
  const [store] = useState(() => app.sessions.of(sessionId, fresh))
  const state = useStore(store)
  const commands = useSessionCommands(store)
  const { wish } = useWorkspace()
  const draft = useDraft(fresh ? 'new' : sessionId)
  const choice = useModelChoice(state)
  const agents = useAgentChoice(state)
  const { agent, sent: agentSent } = agents
  const composer = useRef<ComposerHandle>(null)
  const history = useHistory(store, state, choice, wish === 'choose-model', commands.resend)
  const { previewed, preview } = history
  const stopping = useStop(state, commands, draft)
  const rewind = () => history.named.find(({ name }) => name === 'rewind')?.run()
  const onEscape = useEscapeTwice(stopping.onEscape, rewind, history.busy)
  const { model, sent } = choice
  const { begins, ...newChat } = useNewChat(fresh, choice)
  const { versions } = useMessages().history
  useDocumentTitle(pageName(state, history.lineage, versions, foundName), state.status.state === 'waiting')
  useEffect(() => {
    store.start()
    return store.stop
  }, [store])

  const send = useCallback(
    (parts: InputPart[], mode: SendMode) => {
      sendAs(
        { store, commands },
        {
          parts,
          model,
          ...(agent !== null && { agent }),
          ...begins,
        },
        mode,
      )
      sent()
      agentSent()
      if (app.freshId.get() !== sessionId) return
      // The text of a command comes later: the person may have gone elsewhere.
      const isOpen = routePath({ ...app.router.get(), anchor: null }) === '/'
      if (isOpen) app.router.replace({ sessionId, anchor: null })
      app.freshId.set(createId('ses'))
    },
    [app, store, sessionId, model, agent, sent, agentSent, commands, begins],
  )

  useShortcuts([
    { keys: 'esc', label: words.shortcuts.stop, run: previewed === null ? onEscape : () => preview(null) },
    { keys: 'shift+esc', label: words.shortcuts.focusComposer, run: () => composer.current?.focus() },
    ...history.shortcuts,
    { keys: 'mod+shift+c', label: words.shortcuts.copyReply, run: copyLastReply },
  ])

  function copyLastReply(): void {
    const reply = shownMessages(store.get()).findLast(({ role }) => role === 'assistant')
    if (reply !== undefined) void copyAndTell(app.toasts, messageText(reply), words.replyCopied)
  }

  const panel = (
    <ComposerPanel
      state={state}
      commands={commands}
      draft={draft}
      choice={choice}
      agents={agents}
      history={history}
      handle={composer}
      stopping={stopping}
      onSend={send}
      onRetry={store.retry}
      onDiscard={store.discard}
      {...newChat}
    />
  )

  if (state.phase === 'missing' || typeof state.phase === 'object') {
    return (
      <>
        <BareBar />
        {state.phase === 'missing' ? (
          <MissingChat sessionId={sessionId} />
        ) : (
          <ErrorPanel message={state.phase.failed} onRetry={store.refresh} />
        )}
      </>
    )
  }
  if (fresh && state.messages.length === 0 && state.outgoing.length === 0) {
    return <NewChat composer={panel} models={choice.models} model={model} onSend={send} />
  }
  return (
    <div className="flex min-h-0 grow">
      <div className="flex min-w-0 grow flex-col">
        <SessionBar state={state} history={history} />
        <FindPanel history={history} />
        {state.phase === 'loading' ? (
          <ThreadSkeleton />
        ) : previewed !== null ? (
          <PreviewPanel history={history} pointId={previewed} models={choice.models} />
        ) : (
          <ThreadPanel
            state={state}
            models={choice.models}
            commands={commands}
            history={history}
            onLoadOlder={store.loadOlder}
          />
        )}
        <div className="shrink-0 px-1 md:px-4 md:pb-3" hidden={previewed !== null}>
          <div className="mx-auto max-w-column">
            <SubagentNote session={state.session} />
            <AskPanel
              state={state}
              writing={draft.draft.text !== ''}
              onLeave={() => composer.current?.focus()}
            />
            {state.session?.archivedAt ? <ArchivedBar sessionId={sessionId} /> : panel}
          </div>
        </div>
      </div>
      <Rail history={history} />
      <HistoryPanels history={history} />
      <HistoryDialogs history={history} onLoadOlder={store.loadOlder} onContinue={commands.continue} />
    </div>
  )
}
