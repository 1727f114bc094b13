import {
  type FileChoice,
  type FileChoices,
  isRunning,
  type ModelRef,
  type Session,
} from '@palimpsest/core/domain'
import { lazyModule, type TimelineEntry, whenLoaded } from '@palimpsest/ui'
import { useMemo } from 'react'
import { isCompacting } from '../../session/compaction.ts'
import type { SessionStore } from '../../session/session-store.ts'
import { describeFailure } from '../../state/describe-failure.ts'
import type { App } from '../../stores/app.ts'
import { useApp } from '../../stores/app-context.tsx'
import { historyWords as words } from '../../words/en-history.ts'
import type { FilesNote, FilesResult } from './files-note.ts'

/** The commands of a session's history. A failure is shown in a toast; a command during a run asks to stop it first. */
export type HistoryCommands = {
  /** `files`: what to do with those that somebody else has changed; the others of them stay. */
  rewind(messageId: string, files?: FileChoices): void
  /** Returns to a restore point: the state before an operation or a message. */
  restoreTo(pointId: string, files?: FileChoices): void
  /** Restores the messages that an operation hid: a summary is undone, other changes are returned from. */
  restoreHidden(operationId: string): void
  /** Shows another version of a message, in the state in which it was last shown. */
  switchVersion(messageId: string, toMessageId: string): void
  /** Makes a branch and goes there, unless another chat is open by then. */
  branch(messageId: string, model?: ModelRef): void
  /** A branch that stays out of the lists; null when it could not be made. */
  branchAside(messageId: string): Promise<Session | null>
  compact(): void
  uncompact(): void
  prune(): void
  /** Gives the model a condensed output whole, or its condensed form again. */
  seeWhole(messageId: string, toolCallId: string, whole: boolean): void
  /** Leaves a message out of what the model sees, and brings it back. */
  leaveOut(messageId: string): void
  bringBack(messageId: string): void
  undo(entry: TimelineEntry): void
  /** Stops the run, if there is one, then calls `act`; the queue waits. False when the run could not be stopped. */
  stopFirst(act: () => void): Promise<boolean>
}

/** Another reply to an earlier question, which waits for the person's confirmation. */
export type AskedReply = { messageId: string; hides: number; model: ModelRef | undefined }

const filesNotes = lazyModule(() => import('./files-note.ts'))

export function useHistoryCommands(store: SessionStore): HistoryCommands {
  const app = useApp()
  return useMemo(() => createHistoryCommands(app, store), [app, store])
}

/** What the commands of a history need of the page. */
export type CommandPorts = Pick<App, 'client' | 'toasts' | 'sessionApi'> & {
  router: Pick<App['router'], 'get' | 'push'>
  history: Pick<App['history'], 'arrival' | 'of'>
}

export function createHistoryCommands(
  { client, router, toasts, sessionApi, history }: CommandPorts,
  store: SessionStore,
): HistoryCommands {
  const { sessionId } = store.get()

  const underway = new Set<string>()

  /** Null when it failed, or when the same call is already in flight: a double press counts once. */
  async function attempt<T>(name: string, call: () => Promise<T>): Promise<T | null> {
    if (underway.has(name)) return null
    underway.add(name)
    try {
      return await call()
    } catch (error) {
      const { code, message } = describeFailure(error)
      // The bar above the composer already shows why a summary failed.
      if (code === 'FILES_PENDING') void addNote({ tone: 'error', message, asks: true })
      else if (code !== 'COMPACTION_FAILED') toasts.add({ tone: 'error', message })
      return null
    } finally {
      underway.delete(name)
    }
  }

  async function stopFirst(act: () => void): Promise<boolean> {
    const { status, queue } = store.get()
    if (isRunning(status)) {
      // A queued message would run in the way of what comes now.
      const options = queue.length > 0 ? ({ pauseQueue: true } as const) : undefined
      if (!(await toasts.guard(sessionApi.abort(sessionId, status.runId, options)))) return false
    }
    act()
    return true
  }

  /** Asks before it stops a reply that is being written. */
  function whenFree(act: () => void): void {
    const goOn = () => void stopFirst(act)
    const { status, compaction } = store.get()
    if (!isRunning(status)) {
      act()
      return
    }
    const message = isCompacting(compaction, status) ? words.summarising : words.replying
    toasts.add({ tone: 'info', message, action: { label: words.stopAndGoOn, onAction: goOn } })
  }

  async function moveTo(name: string, call: () => Promise<FilesResult>): Promise<void> {
    const result = await attempt(name, call)
    if (result?.files === undefined) return
    const { filesNote } = await whenLoaded(filesNotes)
    void addNote(filesNote(result))
  }

  async function addNote(note: FilesNote | null): Promise<void> {
    const { addFilesNote } = await whenLoaded(filesNotes)
    if (note !== null) addFilesNote(note, sessionId, { toasts, history })
  }

  const rewind = (messageId: string, files: FileChoices = []) =>
    moveTo(`rewind ${messageId}`, () =>
      client().session.rewind.mutate({ sessionId, messageId, ...withFiles(files) }),
    )

  const takeBackFiles = (operationId: string) =>
    whenFree(
      () =>
        void moveTo(`files ${operationId}`, () =>
          client().session.unrewind.mutate({ sessionId, operationId }),
        ),
    )

  const restoreTo = (pointId: string, files: FileChoices = []) =>
    whenFree(
      () =>
        void moveTo(`restore ${pointId}`, () =>
          client().session.restoreTo.mutate({ sessionId, pointId, ...withFiles(files) }),
        ),
    )
  const switchVersion = (messageId: string, toMessageId: string) =>
    whenFree(
      () =>
        void moveTo(`version ${messageId}`, async () => {
          const { versions } = await client().session.versions.query({ sessionId, messageId })
          const operationId = versions.find((version) => version.messageId === toMessageId)?.operationId
          if (operationId === undefined || operationId === null) return { hidden: 0 }
          return await client().session.switchVersion.mutate({ sessionId, messageId, operationId })
        }),
    )
  const uncompact = () =>
    whenFree(() => void attempt('uncompact', () => client().session.uncompact.mutate({ sessionId })))
  const unprune = () =>
    whenFree(() => void attempt('unprune', () => client().session.unprune.mutate({ sessionId })))

  const seeWhole = (messageId: string, toolCallId: string, whole: boolean) =>
    whenFree(() => {
      const { uncondense, recondense } = client().session
      const call = { sessionId, messageId, toolCallId }
      void attempt(`see ${messageId} ${toolCallId}`, () => (whole ? uncondense : recondense).mutate(call))
    })

  const bringBack = (messageId: string) =>
    whenFree(
      () =>
        void attempt(`bring back ${messageId}`, () =>
          client().session.bringBack.mutate({ sessionId, messageId }),
        ),
    )

  async function leaveOut(messageId: string): Promise<void> {
    const left = await attempt(`leave out ${messageId}`, () =>
      client().session.leaveOut.mutate({ sessionId, messageId }),
    )
    if (left === null || left.operationId === null) return
    toasts.add({
      message: words.leftOut(left.tokens),
      action: { label: words.undo, onAction: () => bringBack(messageId) },
    })
  }

  async function prune(): Promise<void> {
    const pruned = await attempt('prune', () => client().session.prune.mutate({ sessionId }))
    if (pruned === null) return
    if (pruned.operationId === null) toasts.add({ tone: 'info', message: words.nothingToFree })
    else
      toasts.add({
        message: words.freed(pruned.parts, pruned.tokens),
        action: { label: words.undo, onAction: unprune },
      })
  }

  async function compact(): Promise<void> {
    const done = await attempt('compact', () => client().session.compact.mutate({ sessionId }))
    if (done === null) return
    toasts.add({
      message: words.summarised(done.hidden, done.beforeTokens, done.afterTokens),
      action: { label: words.undo, onAction: uncompact },
    })
  }

  async function branch(fromMessageId: string, model?: ModelRef): Promise<void> {
    const made = await attempt(`branch ${fromMessageId}`, () =>
      client().session.branch.mutate({ sessionId, fromMessageId, ...(model && { model }) }),
    )
    if (made === null) return
    const open = () => {
      history.arrival.set({ from: sessionId, to: made.id })
      router.push({ sessionId: made.id, anchor: null })
    }
    if (router.get().sessionId !== sessionId) {
      toasts.add({ message: words.branchedAside, action: { label: words.open, onAction: open } })
      return
    }
    open()
    const back = { label: words.back, onAction: () => router.push({ sessionId, anchor: null }) }
    toasts.add({ message: words.branched, action: back })
  }

  return {
    rewind(messageId, files) {
      const act = () => void rewind(messageId, files)
      // A run that waits for the person writes nothing that could be missed.
      if (store.get().status.state === 'waiting') void stopFirst(act)
      else whenFree(act)
    },
    restoreTo,
    restoreHidden(operationId) {
      const entry = store.get().timeline.find(({ id }) => id === operationId)
      if (entry?.kind === 'compaction' && entry.canUndo) uncompact()
      else restoreTo(operationId)
    },
    switchVersion,
    branch: (messageId, model) => whenFree(() => void branch(messageId, model)),
    branchAside: (fromMessageId) =>
      attempt('aside', () =>
        client().session.branch.mutate({ sessionId, fromMessageId, metadata: { ephemeral: true } }),
      ),
    compact: () => whenFree(() => void compact()),
    uncompact,
    prune: () => whenFree(() => void prune()),
    seeWhole,
    leaveOut: (messageId) => whenFree(() => void leaveOut(messageId)),
    bringBack,
    undo({ id, kind, detail: { targetMessageId = '', toolCallId = '' } }) {
      if (kind === 'compaction') uncompact()
      else if (kind === 'prune') unprune()
      else if (kind === 'uncondense') seeWhole(targetMessageId, toolCallId, false)
      else if (kind === 'recondense') seeWhole(targetMessageId, toolCallId, true)
      else if (kind === 'leaveout') bringBack(targetMessageId)
      else if (kind === 'bringback') whenFree(() => void leaveOut(targetMessageId))
      else if (kind === 'revert') takeBackFiles(id)
      else restoreTo(id)
    },
    stopFirst,
  }
}

function withFiles(files: FileChoices): { files?: { path: string; choice: FileChoice }[] } {
  return files.length > 0 ? { files: [...files] } : {}
}
