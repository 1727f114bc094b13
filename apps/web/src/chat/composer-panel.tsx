import { isRunning, type ModelInfo, type ModelRef } from '@palimpsest/core/domain'
import {
  Composer,
  type ComposerHandle,
  ContextActions,
  ContextMeter,
  ModelPicker,
  messageText,
  PageFileDrop,
  QueueChips,
  type SendMode,
  type SlashCommand,
} from '@palimpsest/ui'
import { type RefObject, useMemo, useState } from 'react'
import { draftParts } from '../composer/draft-parts.ts'
import { queueActions } from '../composer/queue-actions.ts'
import { queueOf } from '../composer/queue-of.ts'
import { queuePause } from '../composer/queue-pause.ts'
import { UnsentNotices } from '../composer/unsent-notices.tsx'
import type { useDraft } from '../composer/use-draft.ts'
import type { SessionCommands } from '../composer/use-session-commands.ts'
import { AboveComposer } from '../history/above-composer.tsx'
import type { History } from '../history/use-history.tsx'
import { useWorkspace } from '../list/workspace-context.tsx'
import { sessionCost } from '../model/session-cost.ts'
import type { useModelChoice } from '../model/use-model-choice.ts'
import { useWindowContent } from '../model/use-window-content.ts'
import type { SessionState } from '../session/session-state.ts'
import { liveContextWindow, shownMessages } from '../session/thread-view.ts'
import { useApp } from '../stores/app-context.tsx'
import { findModel } from '../stores/model-choice.ts'
import { ADD_MODEL_ANCHOR } from '../stores/route.ts'
import { words } from '../words/en.ts'

export type ComposerPanelProps = {
  state: SessionState
  commands: SessionCommands
  draft: ReturnType<typeof useDraft>
  choice: ReturnType<typeof useModelChoice>
  history: History
  handle: RefObject<ComposerHandle | null>
  onSend: (parts: ReturnType<typeof draftParts>, mode: SendMode) => void
  onRetry: (messageId: string) => void
  onDiscard: (messageId: string) => void
}

/** The page's own commands; text after a slash that is no command goes to the model. */
const PAGE_COMMANDS: readonly SlashCommand[] = [
  { name: 'model', description: words.slash.model },
  { name: 'archive', description: words.slash.archive },
  { name: 'new', description: words.slash.new },
  { name: 'help', description: words.slash.help },
]

/** The composer of a session with its queue, its model and its meter. */
export function ComposerPanel(props: ComposerPanelProps) {
  const { state, commands, draft, choice, history } = props
  const { router, toasts } = useApp()
  const { actions, dialogs, newChat, wish, makeWish } = useWorkspace()
  const queue = queueOf(state)
  const chips = queueActions(queue, commands, keepEdit)
  const run: Record<string, () => void> = {
    ...Object.fromEntries(history.named.map((command) => [command.name, command.run])),
    model: () => makeWish('choose-model'),
    archive: () => actions.onArchive(state.sessionId),
    new: newChat,
    help: dialogs.shortcuts,
  }

  function keepEdit(text: string): void {
    draft.add(text)
    if ((router.get().sessionId ?? state.sessionId) !== state.sessionId) return
    props.handle.current?.focus()
    toasts.add({ tone: 'info', message: words.editKept })
  }

  function send(mode: SendMode): void {
    const parts = draftParts(draft.draft)
    if (parts.length === 0) return
    draft.clear()
    props.onSend(parts, mode)
  }

  return (
    <>
      <PageFileDrop onFiles={draft.attach} />
      <UnsentNotices outgoing={state.outgoing} onRetry={props.onRetry} onDiscard={props.onDiscard} />
      <Composer
        ref={props.handle}
        value={draft.draft.text}
        onValueChange={draft.write}
        attachments={draft.attachments}
        onAttach={draft.attach}
        onRemoveAttachment={draft.detach}
        running={isRunning(state.status)}
        onSend={send}
        onStop={commands.stop}
        commands={[...history.named, ...PAGE_COMMANDS]}
        onCommand={(name, argument) => {
          draft.write(argument)
          run[name]?.()
        }}
        onRecall={() => draft.write(lastPrompt(state))}
        autoFocus
        above={
          <>
            <AboveComposer history={history} />
            <QueueChips
              queue={queue}
              actions={chips}
              paused={queuePause(state)}
              onStopAll={isRunning(state.status) ? commands.stopAll : undefined}
            />
          </>
        }
        footStart={
          choice.model && (
            <ModelPicker
              models={choice.models}
              recents={choice.recents}
              value={choice.model}
              onChange={history.modelSwitch.choose}
              outcomeOf={history.modelSwitch.outcomeOf}
              addModelHref={`#${ADD_MODEL_ANCHOR}`}
              open={wish === 'choose-model'}
              onOpenChange={(open) => makeWish(open ? 'choose-model' : null)}
              {...(state.contextWindow && { usedTokens: state.contextWindow.used })}
            />
          )
        }
        footEnd={<Meter state={state} models={choice.models} model={choice.model} history={history} />}
      />
    </>
  )
}

type MeterProps = {
  state: SessionState
  models: readonly ModelInfo[]
  model: ModelRef | null
  history: History
}

/** How full the window is of the model that the next message goes to. */
function Meter({ state, models, model, history }: MeterProps) {
  const { session, usage, messages } = state
  const costUsd = useMemo(
    () => (usage && session ? sessionCost(usage, messages, session.model, models) : 0),
    [usage, session, messages, models],
  )
  const [open, setOpen] = useState(false)
  const content = useWindowContent(state.sessionId, open, state.contextWindow?.used)
  // Until the session is there its model is not known, and the window has limits of its own.
  const chosen = session && model && findModel(models, model)
  const contextWindow = liveContextWindow(state, chosen)
  if (contextWindow === null || usage === null) return null
  const { compact, prune } = history.commands
  return (
    <ContextMeter
      contextWindow={contextWindow}
      usage={{ ...usage, costUsd }}
      content={content}
      writing={isRunning(state.status)}
      onOpenChange={setOpen}
      actions={(close) => (
        <ContextActions
          disabled={history.busy}
          onCompact={() => {
            close()
            compact()
          }}
          onPrune={() => {
            close()
            prune()
          }}
        />
      )}
    />
  )
}

function lastPrompt(state: SessionState): string {
  const message = shownMessages(state).findLast(({ role }) => role === 'user')
  return message === undefined ? '' : messageText(message)
}
