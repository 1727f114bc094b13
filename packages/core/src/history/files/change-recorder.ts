import { rootOf } from '../../domain/session/session.ts'
import type { FileChangeRow, FileState, NewFileChange } from '../../domain/workspace/file-journal.ts'
import { sameState } from '../../domain/workspace/file-journal.ts'
import type { CallJournal, Clock, Logger, Snapshots, Store, WorkspaceFiles } from '../../ports/index.ts'
import { type Attributed, attribute, type OpenSpan } from './attribute.ts'
import { type CallOwner, callRows } from './call-rows.ts'
import { personRow } from './journal-rows.ts'

type Span = OpenSpan & { owner: CallOwner; toolCallId: string | null }

type RecorderPorts = {
  store: Store
  clock: Clock
  logger: Logger
  snapshots: Snapshots
  files: WorkspaceFiles
}

/** Paths of which the last state is held. */
const MAX_KNOWN = 200_000

/** Notes what calls change, and what others change between them. A failure is logged and named in the journal. */
export type ChangeRecorder = {
  /** The journal of the calls of one run, in a folder (its real path). */
  openRun(owner: CallOwner, root: string): CallJournal
  /** Notes what an operation has made of a file, so that nobody else is taken for its author. */
  known(root: string, path: string, state: FileState | null): void
  /** Resolves once no call of a session, or of its subagents, changes files any more. */
  idle(sessionId: string): Promise<void>
  /** Notes changes that a dead host's calls have made, which may be somebody else's; `open` are the rows of these calls. */
  adopt(open: readonly FileChangeRow[]): Promise<void>
}

export function createChangeRecorder(ports: RecorderPorts): ChangeRecorder {
  const { store, clock, logger, snapshots } = ports
  const spans = new Set<Span>()
  /** The state that the journal has last of each file, by its real path, and the folder in whose contents it is. */
  const known = new Map<string, Held>()
  const turns = new Map<string, Promise<unknown>>()
  const working = new Map<string, Set<Promise<unknown>>>()

  /** One capture at a time in each folder: what differs between two of them is attributed once. */
  function inTurn<T>(root: string, work: () => Promise<T>): Promise<T> {
    const mine = (turns.get(root) ?? Promise.resolve()).then(work)
    turns.set(
      root,
      mine.catch(() => undefined),
    )
    return mine
  }

  function remember(absolute: string, state: FileState | null, root: string): void {
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(absolute, { state, root })
  }

  /** Makes sure that a content of one folder is among those of another. */
  async function share(state: FileState | null, from: string, to: string): Promise<void> {
    if (state === null || from === to) return
    const bytes = await snapshots.read(from, state.id)
    if (bytes !== null) await snapshots.keep(to, bytes)
  }

  /** Captures a folder and notes what has changed since the capture before. To be called in turn. */
  async function settle(root: string, seenBy: string, around: readonly Span[]): Promise<void> {
    const { changes } = await snapshots.capture(root)
    const found = attribute(root, changes, around, (absolute) => known.get(absolute))
    const rows: NewFileChange[] = []
    for (const change of found) {
      rows.push(...(await rowsFor(root, seenBy, change)))
      if (change.notKept === null) remember(change.absolute, change.after, root)
      else known.delete(change.absolute)
    }
    if (rows.length > 0) await store.fileChanges.add(rows)
  }

  async function rowsFor(root: string, seenBy: string, change: Attributed<Span>): Promise<NewFileChange[]> {
    const { absolute, before, after, by, uncertain, notKept: reason } = change
    const held = known.get(absolute)?.root ?? root
    if (by.length === 0) return reason === null ? await personRows(root, seenBy, change) : []
    const status = reason !== null ? 'not-kept' : uncertain ? 'uncertain' : 'made'
    const rows: NewFileChange[] = []
    for (const { owner, toolCallId, root: own } of by) {
      await share(before, held, own)
      await share(after, root, own)
      const path = absolute.slice(own.length + 1)
      rows.push(
        ...(await callRows(owner, toolCallId, { root: own, path, before, after, status, reason }, ports)),
      )
    }
    return rows
  }

  async function personRows(
    root: string,
    seenBy: string,
    { absolute, before, after }: Attributed<Span>,
  ): Promise<NewFileChange[]> {
    const path = absolute.slice(root.length + 1)
    const held = known.get(absolute)
    // A host that was started again finds what an earlier one has noted.
    const last = held === undefined ? await store.fileChanges.latest(seenBy, root, path) : null
    if (last !== null && sameState(last.after, after)) return []
    await share(before, held?.root ?? root, root)
    return [personRow(seenBy, { root, path, before, after }, clock)]
  }

  async function begin(span: Span): Promise<number[]> {
    // What a command in the background has begun to write by now is its own.
    if (span.background) spans.add(span)
    await inTurn(span.root, async () => {
      await settle(span.root, span.sessionId, [...spans])
      spans.add(span)
    })
    const { owner, toolCallId, root } = span
    const open = { root, path: '.', before: null, after: null, status: 'open', reason: null } as const
    const [row] = await callRows(owner, toolCallId, open, ports)
    return row === undefined ? [] : await store.fileChanges.add([row])
  }

  async function end(span: Span, open: number[]): Promise<void> {
    try {
      await inTurn(span.root, () => settle(span.root, span.sessionId, [...spans]))
      await store.fileChanges.replace(open, [])
    } finally {
      spans.delete(span)
    }
  }

  /** Names a call whose changes are not in the journal. */
  async function nameUnknown({ owner, toolCallId, root }: Span): Promise<void> {
    const row = {
      root,
      path: '.',
      before: null,
      after: null,
      status: 'not-kept',
      reason: 'unknown-folder',
    } as const
    await store.fileChanges.add(await callRows(owner, toolCallId, row, ports))
  }

  async function attempt<T>(span: Span, act: () => Promise<T>): Promise<T | null> {
    try {
      return await act()
    } catch (error) {
      logger.error({ error, sessionId: span.sessionId }, 'The files of a call could not be captured')
      return null
    }
  }

  async function around<T>(span: Span, work: () => Promise<T>): Promise<T> {
    const open = (await snapshots.covers(span.root).catch(() => false))
      ? await attempt(span, () => begin(span))
      : null
    try {
      return await work()
    } finally {
      const done = open === null ? null : await attempt(span, () => end(span, open).then(() => true))
      spans.delete(span)
      if (done === null) await attempt(span, () => nameUnknown(span))
    }
  }

  /** Notes a write before it is made, so that its bytes before are named whatever happens. */
  async function write(
    owner: CallOwner,
    toolCallId: string,
    [root, path, bytes, expected]: Parameters<WorkspaceFiles['write']>,
  ): Promise<void> {
    const found = await snapshots.look(root, path)
    if (found.type === 'blocked') return await ports.files.write(root, path, bytes, expected)
    const before = found.state
    const after: FileState = { id: await snapshots.keep(root, bytes), mode: before?.mode ?? '100644' }
    const absolute = `${root}/${path}`
    const held = known.get(absolute)
    const last: Held | null = held ?? asHeld(await store.fileChanges.latest(owner.session.id, root, path))
    const rows = await callRows(
      owner,
      toolCallId,
      { root, path, before, after, status: 'made', reason: null },
      ports,
    )
    if (last !== null && !sameState(last.state, before)) {
      await share(last.state, last.root, root)
      rows.unshift(personRow(owner.session.id, { root, path, before: last.state, after: before }, clock))
    }
    const ordinals = await store.fileChanges.add(rows)
    remember(absolute, after, root)
    try {
      await ports.files.write(root, path, bytes, expected)
    } catch (error) {
      remember(absolute, before, root)
      await store.fileChanges.replace(
        ordinals.slice(-rows.filter(({ author }) => author === 'call').length),
        [],
      )
      throw error
    }
  }

  function track<T>(thread: string, work: Promise<T>): Promise<T> {
    const all = working.get(thread) ?? new Set()
    working.set(thread, all)
    const ended = work.then(
      () => undefined,
      () => undefined,
    )
    all.add(ended)
    void ended.then(() => {
      all.delete(ended)
      if (all.size === 0) working.delete(thread)
    })
    return work
  }

  return {
    openRun: (owner, root) => {
      const thread = rootOf(owner.session)
      const spanOf = (toolCallId: string, background: boolean): Span => ({
        root,
        thread,
        background,
        sessionId: owner.session.id,
        owner,
        toolCallId,
      })
      return {
        filesFor: (toolCallId) => ({
          ...ports.files,
          write: (...write_) => track(thread, write(owner, toolCallId, write_)),
        }),
        around: (toolCallId, work) => track(thread, around(spanOf(toolCallId, false), work)),
        follow(toolCallId, ended) {
          const span = spanOf(toolCallId, true)
          void around(span, () => ended.catch(() => undefined)).catch((error: unknown) =>
            logger.error(
              { error, sessionId: span.sessionId },
              'The files of a command could not be captured',
            ),
          )
        },
      }
    },

    known: (root, path, state) => remember(`${root}/${path}`, state, root),

    async idle(sessionId) {
      const session = await store.sessions.get(sessionId)
      if (session !== null) await Promise.all(working.get(rootOf(session)) ?? [])
    },

    async adopt(open) {
      for (const [root, rows] of Map.groupBy(open, (row) => row.root)) {
        const dead: Span[] = []
        for (const row of rows) {
          const session = await store.sessions.get(row.sessionId)
          if (session === null || row.messageId === null) continue
          const owner = { session, runId: row.runId ?? '', messageId: row.messageId }
          const { sessionId, toolCallId } = row
          dead.push({ root, thread: rootOf(session), background: true, sessionId, owner, toolCallId })
        }
        const [first] = dead
        if (first !== undefined)
          await attempt(first, () => inTurn(root, () => settle(root, first.sessionId, [...spans, ...dead])))
        await store.fileChanges.replace(
          rows.map(({ ordinal }) => ordinal),
          [],
        )
      }
    },
  }
}

type Held = { state: FileState | null; root: string }

function asHeld(row: FileChangeRow | null): Held | null {
  return row === null ? null : { state: row.after, root: row.root }
}
