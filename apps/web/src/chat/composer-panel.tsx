import { isRunning, type ModelRef, type PermissionMode, sessionMode } from '@palimpsest/core/domain'
import {
  Composer,
  type ComposerHandle,
  lazyModule,
  ModelPicker,
  messageText,
  nextMode,
  PageFileDrop,
  type QueueChipsProps,
  type SendMode,
  type SlashCommand,
  useLazy,
} from '@palimpsest/ui'
import type { ReactNode, RefObject } from 'react'
import { AgentChoice } from '../agent/agent-choice.tsx'
import type { CommandPlace } from '../agent/command-place.ts'
import type { FileMentionsProps } from '../agent/file-mentions.tsx'
import { ChatFolder, useAsks } from '../agent/folder-choice.tsx'
import type { useAgentChoice } from '../agent/use-agent-choice.ts'
import { draftParts } from '../composer/draft-parts.ts'
import { queueActions } from '../composer/queue-actions.ts'
import { queueOf } from '../composer/queue-of.ts'
import { queuePause } from '../composer/queue-pause.ts'
import { UnsentNotices } from '../composer/unsent-parts.tsx'
import type { useDraft } from '../composer/use-draft.ts'
import { useFileCommands } from '../composer/use-file-commands.ts'
import type { SessionCommands } from '../composer/use-session-commands.ts'
import type { useStop } from '../composer/use-stop.ts'
import { AboveComposer } from '../history/above-composer.tsx'
import type { History } from '../history/use-history.tsx'
import { useWorkspace } from '../list/workspace-context.tsx'
import type { useModelChoice } from '../model/use-model-choice.ts'
import type { SessionState } from '../session/session-state.ts'
import { shownMessages } from '../session/thread-view.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import type { DraftFile } from '../stores/drafts.ts'
import { findModel } from '../stores/model-choice.ts'
import { ADD_MODEL_HREF } from '../stores/route.ts'
import { words } from '../words/en.ts'

export type ComposerPanelProps = {
  state: SessionState
  commands: SessionCommands
  draft: ReturnType<typeof useDraft>
  choice: ReturnType<typeof useModelChoice>
  agents: ReturnType<typeof useAgentChoice>
  history: History
  handle: RefObject<ComposerHandle | null>
  stopping: ReturnType<typeof useStop>
  onSend: (parts: ReturnType<typeof draftParts>, mode: SendMode) => void
  onRetry: (messageId: string) => void
  onDiscard: (messageId: string) => void
  /** In a new chat: the choice of its folder. */
  folder?: ReactNode
  /** In a new chat: the mode that it will begin in. */
  newMode: { mode: PermissionMode; onChange: (mode: PermissionMode) => void } | null
  /** In a new chat: its folder, null for none, undefined for the server's default. */
  workspaceRoot: string | null | undefined
}

/** The page's own commands; text after a slash that is no command goes to the model. */
const PAGE_COMMANDS: readonly SlashCommand[] = [
  { name: 'model', description: words.slash.model },
  { name: 'new', description: words.slash.new },
  { name: 'help', description: words.slash.help },
]

const ARCHIVE: SlashCommand = { name: 'archive', description: words.slash.archive }

/** Those about a chat that exists. */
const SESSION_COMMANDS: readonly SlashCommand[] = [
  { name: 'permissions', description: words.slash.permissions },
  { name: 'processes', description: words.slash.processes },
]

/** The composer of a session with its queue, its model and its meter. */
export function ComposerPanel(props: ComposerPanelProps) {
  const { state, commands, draft, choice, history } = props
  const { session } = state
  // The session of a subagent belongs to a chat, whose mode counts.
  const belongs = session?.metadata.subagent !== undefined
  const foot = useLazy(footParts, session !== null)
  const asks =
    useAsks(session?.workspaceRoot) || (session !== null && sessionMode(session.permissions) !== 'ask')
  const mode = useLazy(chatMode, asks || props.newMode !== null)
  const plans = session !== null && sessionMode(session.permissions) === 'plan'
  const planEnd = useLazy(planEndPart, plans)
  const { router, toasts, ...app } = useApp()
  const sendKey = useStore(app.sendKey)
  const isKnown = useStore(app.sends)
  const { actions, dialogs, newChat, wish, makeWish } = useWorkspace()
  const queue = queueOf(state)
  const chips = queueActions(queue, commands, keepEdit)
  const place = placeOf(props)
  const { commands: ofFiles, expand } = useFileCommands(place, draft.draft.text)
  const run: Record<string, () => void> = {
    ...Object.fromEntries(history.named.map((command) => [command.name, command.run])),
    model: () => makeWish('choose-model'),
    archive: () => actions.onArchive(state.sessionId),
    new: newChat,
    help: dialogs.shortcuts,
    permissions: () => makeWish('permissions'),
    processes: () => makeWish('processes'),
  }

  /** Chooses the next mode where the composer has one. */
  function nextModeOf(): (() => void) | undefined {
    const { newMode } = props
    if (session === null) return newMode ? () => newMode.onChange(nextMode(newMode.mode)) : undefined
    if (!asks || belongs) return undefined
    const next = nextMode(sessionMode(session.permissions))
    return () => void toasts.guard(app.sessionApi.setMode(session.id, next))
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
    app.sends.count()
    props.onSend(parts, mode)
  }

  async function sendCommand(name: string, argument: string): Promise<void> {
    if (draft.attachments.some((file) => file.state.type !== 'ready')) return
    draft.write(`/${name} ${argument}`.trim())
    // What is written from here on belongs to the next message.
    const takeBack = draft.clear()
    const text = await expand(name, argument)
    if (text === null) return takeBack()
    props.onSend(draftParts({ ...draft.draft, text }), isRunning(state.status) ? 'queue' : 'send')
  }

  return (
    <>
      <PageFileDrop onFiles={draft.attach} />
      <UnsentNotices
        sessionId={state.sessionId}
        outgoing={state.outgoing}
        onRetry={props.onRetry}
        onDiscard={props.onDiscard}
      />
      <Composer
        ref={props.handle}
        sendKey={sendKey}
        hints={!isKnown}
        onNextMode={nextModeOf()}
        value={draft.draft.text}
        onValueChange={draft.write}
        attachments={draft.attachments}
        onAttach={draft.attach}
        onRemoveAttachment={draft.detach}
        onInsertText={draft.insertText}
        fileNotice={<Notice files={draft.draft.files} choice={choice} history={history} />}
        running={isRunning(state.status)}
        onSend={send}
        onStop={props.stopping.stop}
        onEscape={props.stopping.onEscape}
        commands={[
          ...history.named,
          ...PAGE_COMMANDS,
          ...(belongs ? [] : [ARCHIVE]),
          ...(session ? SESSION_COMMANDS : []),
          ...ofFiles.filter(({ name }) => !Object.hasOwn(run, name)),
        ]}
        onCommand={(name, argument) => {
          const own = Object.hasOwn(run, name) ? run[name] : undefined
          if (own === undefined) return void sendCommand(name, argument)
          draft.write(argument)
          own()
        }}
        mentions={(field) => <Mentions {...field} place={place} />}
        onRecall={() => draft.write(lastPrompt(state))}
        autoFocus
        above={
          <>
            {planEnd && plans && !belongs && (
              <planEnd.PlanEnd
                state={state}
                onRun={props.onSend}
                onKeepPlanning={() => props.handle.current?.focus()}
              />
            )}
            <AboveComposer history={history} />
            <Queue
              queue={queue}
              actions={chips}
              paused={queuePause(state)}
              onStopAll={isRunning(state.status) ? commands.stopAll : undefined}
            />
          </>
        }
        footStart={
          choice.model && (
            <>
              <ModelPicker
                models={choice.models}
                recents={choice.recents}
                value={choice.model}
                onChange={history.modelSwitch.choose}
                outcomeOf={history.modelSwitch.outcomeOf}
                addModelHref={ADD_MODEL_HREF}
                open={wish === 'choose-model'}
                onOpenChange={(open) => makeWish(open ? 'choose-model' : null)}
                {...(state.contextWindow && { usedTokens: state.contextWindow.used })}
              />
              <AgentChoice state={state} place={place} choice={props.agents} />
              {session === null ? props.folder : <ChatFolder session={session} />}
              {session && asks && !belongs && mode && <mode.SessionMode session={session} />}
              {session === null && props.newMode && mode && <mode.NewMode {...props.newMode} />}
            </>
          )
        }
        footEnd={
          session &&
          foot && (
            <foot.WindowMeter state={state} models={choice.models} model={choice.model} history={history} />
          )
        }
      />
    </>
  )
}

const fileMentions = lazyModule(() => import('../agent/file-mentions.tsx'))

function Mentions(props: FileMentionsProps) {
  const loaded = useLazy(fileMentions, props.value.includes('@'))
  return loaded && <loaded.FileMentions {...props} />
}

/** A chat that still loads has a folder, which is not known here yet. */
function placeOf({ state, workspaceRoot }: ComposerPanelProps): CommandPlace {
  if (state.session !== null || state.phase === 'loading') return { sessionId: state.sessionId }
  return workspaceRoot === undefined ? {} : { workspaceRoot }
}

const queuePanel = lazyModule(() => import('../composer/queue-panel.tsx'))

function Queue(props: QueueChipsProps) {
  const loaded = useLazy(queuePanel, props.queue.length > 0)
  return loaded && <loaded.QueueChips {...props} />
}

const fileNotice = lazyModule(() => import('../composer/file-notice.tsx'))

type NoticeProps = Pick<ComposerPanelProps, 'choice' | 'history'> & { files: readonly DraftFile[] }

/** What of the files the chosen model can't read. */
function Notice({ files, choice, history }: NoticeProps) {
  const loaded = useLazy(fileNotice, files.length > 0)
  const model = choice.model && findModel(choice.models, choice.model)
  if (loaded === null || files.length === 0 || !model) return null
  const { models, recents } = choice
  const onChoose = ({ providerId, modelId }: ModelRef) => history.modelSwitch.choose({ providerId, modelId })
  return <loaded.FileNotice {...{ files, models, recents, model, onChoose }} />
}

/** What belongs to a chat that exists: its mode and its meter. */
const footParts = lazyModule(() => import('./composer-foot.tsx'))

const chatMode = lazyModule(() => import('../agent/chat-mode.tsx'))

const planEndPart = lazyModule(() => import('../agent/plan-end.tsx'))

function lastPrompt(state: SessionState): string {
  const message = shownMessages(state).findLast(({ role }) => role === 'user')
  return message === undefined ? '' : messageText(message)
}
