import { setImmediate } from 'node:timers/promises'
import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { counted, type HistoryLab, openHistoryLab, textOf, words } from '@palimpsest/testing/history-lab.ts'
import { IDLE_HOOK } from '@palimpsest/testing/idle-hook.ts'
import { createMemorySnapshots } from '@palimpsest/testing/memory-snapshots.ts'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../domain/session/event.ts'
import type { Logger } from '../../ports/index.ts'

type Files = Record<string, string | null>

/** A session in whose replies hooks write files: what `work` says of the words that they answer. */
async function openWork(work: Record<string, Files>, logger: Logger = silentLogger) {
  const snapshots = createMemorySnapshots()
  const lab = await openHistoryLab({ snapshots, logger, hooks: [IDLE_HOOK] })
  const files = snapshots.filesOf('/workspace')
  function write(changes: Files) {
    for (const [path, text] of Object.entries(changes)) {
      if (text === null) files.delete(path)
      else files.set(path, text)
    }
  }
  lab.provider.otherwise((request) => {
    const asked = JSON.stringify(request.body['messages']).split('"user"').at(-1) ?? ''
    for (const [question, changes] of Object.entries(work)) if (asked.includes(question)) write(changes)
    return counted(request, { text: 'Done.' })
  })
  const { id: sessionId } = await lab.sessions.create({ title: 'Work' })
  const ids: string[] = []
  return {
    lab,
    snapshots,
    sessionId,
    ids,
    write,
    history: lab.sessions.history,
    files: () => Object.fromEntries([...files].toSorted()),
    async ask(...questions: string[]) {
      for (const question of questions) {
        ids.push((await lab.turn(question, sessionId)).messages.at(-2)?.id ?? '')
      }
    },
    rewind: (messageId = '', preview = false) =>
      lab.sessions.history.rewind({ sessionId, messageId, preview }),
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  }
}

const lastReply = async (lab: HistoryLab, sessionId: string) => (await lab.visible(sessionId)).at(-1)

test('RW-5 without a snapshot layer no snapshot ids are stored, and a rewind returns no files', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, messages } = await lab.turn('One')
  for (const { metadata } of messages) {
    expect(metadata).not.toHaveProperty('snapshotId')
    expect(metadata).not.toHaveProperty('workspace')
  }
  const result = await lab.sessions.history.rewind({ sessionId, messageId: messages[0]?.id ?? '' })
  expect(result).not.toHaveProperty('files')
})

test('RW-5 a session says whether its files are kept', async () => {
  await using work = await openWork({})
  const keeps = async () => (await work.lab.sessions.get(work.sessionId)).keepsFiles
  expect(await keeps()).toBe(true)
  work.snapshots.uncover()
  expect(await keeps()).toBe(false)
  await using bare = await openHistoryLab()
  const { sessionId } = await bare.turn('One')
  expect((await bare.sessions.get(sessionId)).keepsFiles).toBe(false)
})

test('RW-5 in a workspace that the layer does not cover nothing is captured, warned about or restored', async () => {
  const warnings: unknown[] = []
  const warn = (facts: object) => void warnings.push(facts)
  await using work = await openWork({ One: { a: '1' } }, { ...silentLogger, warn, error: warn })
  work.snapshots.uncover()
  await work.ask('One')
  expect((await lastReply(work.lab, work.sessionId))?.metadata).not.toHaveProperty('workspace')
  expect(await work.rewind(work.ids[0])).not.toHaveProperty('files')
  expect([work.files(), warnings]).toEqual([{ a: '1' }, []])
})

test('RW-5 the files that a return to a point restores are counted before, without a change', async () => {
  await using work = await openWork({ One: { a: '1' }, Two: { a: '2', b: '2' } })
  await work.ask('One', 'Two')
  const at = { sessionId: work.sessionId, pointId: work.ids[1] ?? '' }
  const counted = await work.history.restoreTo({ ...at, preview: true })
  expect(counted).toMatchObject({ hidden: 2, files: { count: 2 } })
  expect(work.files()).toEqual({ a: '2', b: '2' })
  expect(await work.history.timeline(work.sessionId)).toEqual([])
  expect(await work.history.restoreTo(at)).toMatchObject({ files: { count: 2 } })
  expect(work.files()).toEqual({ a: '1' })
})

test('RW-5 a message records the snapshot at its sending, a reply what its run changed, if anything', async () => {
  await using work = await openWork({ edit: { a: '2' } })
  work.write({ a: '1' })
  await work.ask('talk')
  expect(await lastReply(work.lab, work.sessionId)).not.toHaveProperty('metadata.workspace')
  await work.ask('edit')
  const [, , question, answer] = await work.lab.visible(work.sessionId)
  const before = question?.metadata?.snapshotId ?? ''
  expect(answer?.metadata?.workspace).toEqual({ before, after: expect.any(String) })
  expect(
    await work.snapshots.changed('/workspace', [{ before, after: answer?.metadata?.workspace?.after ?? '' }]),
  ).toEqual([['a']])
})

test('RW-5 a message is stored while the state of the files is being captured, and with a hook the model is asked once it is', async () => {
  await using work = await openWork({ edit: { a: '2' } })
  const { lab, snapshots, sessionId } = work
  const { capture } = snapshots
  const captured = Promise.withResolvers<void>()
  snapshots.capture = async (root) => {
    await captured.promise
    return await capture(root)
  }
  const { runId = '' } = await lab.say('edit', sessionId)
  const [stored] = await lab.visible(sessionId)
  expect(stored?.metadata).not.toHaveProperty('snapshotId')
  // In as many turns of the loop a request arrives several times over.
  for (let turn = 0; turn < 300; turn++) await setImmediate()
  expect(lab.provider.requests).toHaveLength(0)
  captured.resolve()
  await lab.chunksOf(sessionId, runId)
  const [question, answer] = await lab.visible(sessionId)
  expect(answer?.metadata?.workspace?.before).toBe(question?.metadata?.snapshotId)
})

test('RW-5 a queued message records its snapshot too, and its reply the one at its start', async () => {
  await using work = await openWork({ later: { b: '1' } })
  const written = Promise.withResolvers<void>()
  work.lab.provider.script((request) => {
    work.write({ a: '1' })
    return counted(request, { text: ['Do', 'ne.'], hold: { before: 1, until: written.promise } })
  })
  const { sessionId } = work
  await work.lab.say('now', sessionId)
  expect(await work.lab.say('later', sessionId)).toMatchObject({ queued: true })
  const [waiting] = await work.lab.sessions.queue.list(sessionId)
  expect(waiting?.metadata?.snapshotId).toEqual(expect.any(String))
  const fired = work.lab.event(
    (event): event is Extract<SessionEvent, { type: 'message-added' }> => event.type === 'message-added',
  )
  written.resolve()
  await work.lab.chunksOf(sessionId, (await fired).message.metadata?.runId ?? '')
  const [, , , answer] = await work.lab.visible(sessionId)
  expect(answer?.metadata?.workspace?.after).toEqual(expect.any(String))
  await work.rewind(waiting?.id)
  expect(work.files()).toEqual({ a: '1' })
})

test('RW-5 a rewind restores what the hidden runs changed and nothing else; un-rewind puts it back', async () => {
  await using work = await openWork({
    first: { a: 'a1', made: 'm1' },
    second: { a: 'a2', gone: null },
  })
  work.write({ a: 'a0', gone: 'g0', mine: '0' })
  await work.ask('first', 'second')
  work.write({ mine: '1', note: 'n' })
  const before = work.files()

  expect(await work.rewind(work.ids[0], true)).toMatchObject({ files: { count: 3 } })
  expect(work.files()).toEqual(before)
  expect(await work.rewind(work.ids[1])).toMatchObject({ hidden: 1, files: { count: 2 } })
  expect(work.files()).toEqual({ a: 'a1', made: 'm1', gone: 'g0', mine: '1', note: 'n' })
  expect(await work.rewind(work.ids[0])).toMatchObject({ files: { count: 2 } })
  expect(work.files()).toEqual({ a: 'a0', gone: 'g0', mine: '1', note: 'n' })

  const [latest] = await work.history.timeline(work.sessionId)
  expect(latest?.detail).toMatchObject({
    snapshotId: expect.any(String),
    previousSnapshotId: expect.any(String),
    fileCount: 2,
  })
  expect(await work.history.unrewind({ sessionId: work.sessionId })).toMatchObject({ files: { count: 2 } })
  expect(work.files()).toEqual({ a: 'a1', made: 'm1', gone: 'g0', mine: '1', note: 'n' })
  await work.history.unrewind({ sessionId: work.sessionId, operationId: await firstRewind(work) })
  expect(work.files()).toEqual(before)
})

test('RW-5 a user’s edit of a run’s file is restored by the un-rewind', async () => {
  await using work = await openWork({ edit: { a: 'run' } })
  work.write({ a: 'old' })
  await work.ask('edit')
  work.write({ a: 'mine' })
  await work.rewind(work.ids[0])
  expect(work.files()).toEqual({ a: 'old' })
  work.write({ b: 'since' })
  await work.history.unrewind({ sessionId: work.sessionId })
  expect(work.files()).toEqual({ a: 'mine', b: 'since' })
})

test('RW-5 an un-rewind also reverts the changes of runs since, and undoing it restores them', async () => {
  await using work = await openWork({ first: { a: '1' }, other: { a: '2', b: '2' } })
  await work.ask('first')
  await work.rewind(work.ids[0])
  await work.ask('other')
  expect(work.files()).toEqual({ a: '2', b: '2' })
  await work.history.unrewind({ sessionId: work.sessionId })
  expect(work.files()).toEqual({})
  await work.history.unrewind({ sessionId: work.sessionId })
  expect(work.files()).toEqual({ a: '2', b: '2' })
  await work.history.unrewind({ sessionId: work.sessionId, operationId: await firstRewind(work) })
  expect(work.files()).toEqual({ a: '1' })
  await work.history.unrewind({ sessionId: work.sessionId })
  expect(work.files()).toEqual({ a: '2', b: '2' })
})

test('RW-5 a rewind to a hidden message brings its path’s files with it', async () => {
  await using work = await openWork({ first: { a: '1' }, second: { b: '2' }, other: { c: '3' } })
  await work.ask('first', 'second')
  await work.rewind(work.ids[0])
  await work.ask('other')
  expect(work.files()).toEqual({ c: '3' })
  await work.rewind(work.ids[1])
  expect(work.files()).toEqual({ a: '1' })
})

test('RW-5 an edited message, and a new reply to it, start with the files as they were', async () => {
  await using work = await openWork({ first: { a: '1' }, better: { b: '1' } })
  await work.ask('first')
  const parts = [{ type: 'text' as const, text: 'better' }]
  const replaced = await work.lab.sessions.send({
    sessionId: work.sessionId,
    message: { parts },
    ...(work.ids[0] !== undefined && { replaceMessageId: work.ids[0] }),
  })
  await work.lab.chunksOf(work.sessionId, replaced.runId ?? '')
  expect(work.files()).toEqual({ b: '1' })
  const [question, answer] = await work.lab.visible(work.sessionId)
  expect(answer?.metadata?.workspace?.before).toBe(question?.metadata?.snapshotId)
  work.write({ b: 'mine' })
  const messageId = replaced.messageId
  const { runId } = await work.lab.sessions.resend({ sessionId: work.sessionId, messageId })
  await work.lab.chunksOf(work.sessionId, runId)
  expect(work.files()).toEqual({ b: '1' })
})

test('RW-5 a rewind into what was summarised undoes the work of the summarised runs, a compaction none', async () => {
  await using work = await openWork({ first: { a: '1' }, second: { b: '1' }, third: { c: '1' } })
  await work.ask(words(700, 'first'), words(700, 'second'), 'third', 'fourth')
  await work.history.compact(work.sessionId)
  expect(work.files()).toEqual({ a: '1', b: '1', c: '1' })
  expect(await work.rewind(work.ids[1])).toMatchObject({ files: { count: 2 } })
  expect(work.files()).toEqual({ a: '1' })
  await work.history.unrewind({ sessionId: work.sessionId })
  expect(work.files()).toEqual({ a: '1', b: '1', c: '1' })
})

test('RW-5 a branch leaves the work of its parent’s runs alone', async () => {
  await using work = await openWork({ first: { a: '1' }, own: { b: '1' } })
  await work.ask('first')
  const answer = await lastReply(work.lab, work.sessionId)
  const branch = await work.history.branch({ sessionId: work.sessionId, fromMessageId: answer?.id ?? '' })
  await work.lab.turn('own', branch.id)
  const [question] = await work.lab.visible(branch.id)
  const result = await work.history.rewind({ sessionId: branch.id, messageId: question?.id ?? '' })
  expect(result).toMatchObject({ hidden: 3, files: { count: 1 } })
  expect(work.files()).toEqual({ a: '1' })
})

test('RW-5 with a snapshot layer that fails, sending and rewinding work; the failure is logged, and files stay', async () => {
  const errors: string[] = []
  const logger = { ...silentLogger, error: (_: object, message: string) => void errors.push(message) }
  await using work = await openWork({ first: { a: '1' }, second: { a: '2' } }, logger)
  await work.ask('first')
  work.snapshots.break()
  await work.ask('second')
  expect(textOf((await lastReply(work.lab, work.sessionId)) ?? { id: '', role: 'user', parts: [] })).toBe(
    'Done.',
  )
  const result = await work.rewind(work.ids[0])
  expect(result).toMatchObject({ hidden: 3 })
  expect(result).not.toHaveProperty('files')
  expect(work.files()).toEqual({ a: '2' })
  expect(errors).toContain('The snapshot layer failed')
})

test('RW-5 files that cannot be restored are reported, and the operation can still be undone', async () => {
  await using work = await openWork({ first: { a: '1' } })
  await work.ask('first')
  const { restore } = work.snapshots
  work.snapshots.restore = () => Promise.reject(new Error('The disk is full'))
  expect(await work.rewind(work.ids[0])).toMatchObject({ hidden: 1, files: { count: 1, failed: true } })
  expect(work.files()).toEqual({ a: '1' })
  work.snapshots.restore = restore
  expect(await work.history.unrewind({ sessionId: work.sessionId })).toMatchObject({
    restored: 1,
    files: { count: 0 },
  })
  expect(work.files()).toEqual({ a: '1' })
})

test('RW-5 a new message is not answered on files that could not be restored; the run fails, and the rewind can be undone', async () => {
  await using work = await openWork({ first: { a: '1' } })
  await work.ask('first')
  const { restore } = work.snapshots
  work.snapshots.restore = () => Promise.reject(new Error('The disk is full'))
  const asked = work.lab.steps.length
  const [replaceMessageId = ''] = work.ids
  const message = { parts: [{ type: 'text' as const, text: 'better' }] }
  const sent = await work.lab.sessions.send({ sessionId: work.sessionId, message, replaceMessageId })
  await work.lab.chunksOf(work.sessionId, sent.runId ?? '')
  expect((await lastReply(work.lab, work.sessionId))?.metadata?.error).toMatchObject({
    code: 'INTERNAL',
    message: expect.stringContaining('Not all files of the workspace could be restored'),
  })
  expect(work.lab.steps).toHaveLength(asked)
  work.snapshots.restore = restore
  await work.history.unrewind({ sessionId: work.sessionId })
  expect((await work.lab.visible(work.sessionId)).map(({ id }) => id)).toContain(replaceMessageId)
  expect(work.files()).toEqual({ a: '1' })
})

async function firstRewind({ history, sessionId }: Awaited<ReturnType<typeof openWork>>): Promise<string> {
  return (await history.timeline(sessionId)).at(-1)?.id ?? ''
}
