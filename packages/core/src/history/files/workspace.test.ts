import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { counted, type HistoryLab, openHistoryLab, textOf, words } from '@palimpsest/testing/history-lab.ts'
import { createMemorySnapshots } from '@palimpsest/testing/memory-snapshots.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Logger } from '../../ports/index.ts'
import { defineTool } from '../../tool/tool.ts'

type Files = Record<string, string | null>

/** A session in whose replies a tool writes files: what `work` says of the words that they answer. */
async function openWork(work: Record<string, Files>, logger: Logger = silentLogger) {
  const snapshots = createMemorySnapshots()
  const files = snapshots.filesOf('/workspace')
  function write(changes: Files) {
    for (const [path, text] of Object.entries(changes)) {
      if (text === null) files.delete(path)
      else files.set(path, text)
    }
  }
  const tool = defineTool({
    id: 'work',
    description: 'Writes files',
    input: z.object({ question: z.string() }),
    changesFiles: true,
    requires: () => [{ permission: 'read', pattern: 'a' }],
    execute({ question }) {
      write(work[question] ?? {})
      return Promise.resolve({ text: 'Written' })
    },
  })
  const lab = await openHistoryLab({ snapshots, logger }, { agent: { tools: [tool] } })
  lab.provider.otherwise((request) => {
    const asked = JSON.stringify(request.body['messages']).split('"user"').at(-1) ?? ''
    const question = Object.keys(work).find((one) => asked.includes(one))
    return question === undefined || asked.includes('"tool"')
      ? counted(request, { text: 'Done.' })
      : counted(request, { toolCalls: [{ name: 'work', input: { question } }] })
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
    changes: lab.sessions.changes,
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

test('RW-10 in a folder that is not captured whole, a call that may change files is named, and nothing of it is restored', async () => {
  await using work = await openWork({ One: { a: '1' } })
  work.snapshots.uncover()
  await work.ask('One')
  const { coverage, files, notKept } = await work.changes.list({ sessionId: work.sessionId })
  expect([coverage, files]).toEqual(['write-and-edit', []])
  expect(notKept).toMatchObject([{ path: '.', reason: 'unknown-folder' }])
  expect(await work.rewind(work.ids[0])).toMatchObject({ hidden: 1, files: { count: 0 } })
  expect(work.files()).toEqual({ a: '1' })
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
  expect(latest?.detail).toMatchObject({ fileCount: 2 })
  expect(await work.history.unrewind({ sessionId: work.sessionId })).toMatchObject({ files: { count: 2 } })
  expect(work.files()).toEqual({ a: 'a1', made: 'm1', gone: 'g0', mine: '1', note: 'n' })
  await work.history.unrewind({ sessionId: work.sessionId, operationId: await firstRewind(work) })
  expect(work.files()).toEqual(before)
})

test('RW-12 a file that a person has changed since stays, is named before and after, and is restored by choice; un-rewind brings each version back', async () => {
  await using work = await openWork({ edit: { a: 'run', b: 'run' } })
  work.write({ a: 'old' })
  await work.ask('edit')
  work.write({ a: 'mine' })
  const { sessionId, history, changes } = work
  const expected = {
    count: 1,
    fates: [
      { path: 'a', fate: 'conflict' },
      { path: 'b', fate: 'restored' },
    ],
  }
  const sorted = ({ files }: Awaited<ReturnType<typeof work.rewind>>) => ({
    ...files,
    fates: files?.fates.toSorted((x, y) => (x.path < y.path ? -1 : 1)),
  })
  expect(sorted(await work.rewind(work.ids[0], true))).toEqual(expected)
  const rewound = await work.rewind(work.ids[0])
  expect(sorted(rewound)).toEqual(expected)
  expect(work.files()).toEqual({ a: 'mine' })
  const { operationId } = rewound
  expect((await changes.list({ sessionId })).conflicts).toMatchObject([{ operationId, path: 'a' }])
  await expect(
    changes.resolve({ sessionId, operationId, files: [{ path: 'b', choice: 'restore' }] }),
  ).rejects.toMatchObject({ code: 'CONFLICT', field: 'files.0.path' })
  const resolved = await changes.resolve({
    sessionId,
    operationId,
    files: [{ path: 'a', choice: 'restore' }],
  })
  expect(work.files()).toEqual({ a: 'old' })
  expect((await changes.list({ sessionId })).conflicts).toEqual([])
  await history.unrewind({ sessionId, operationId: resolved.operationId })
  expect(work.files()).toEqual({ a: 'mine' })
  await history.unrewind({ sessionId })
  expect(work.files()).toEqual({ a: 'mine', b: 'run' })
})

test('RW-12 the restored version is put beside a changed file by choice, under a free name, and goes with the un-rewind', async () => {
  await using work = await openWork({ edit: { 'x/a.txt': 'run' } })
  work.write({ 'x/a.txt': 'old' })
  await work.ask('edit')
  work.write({ 'x/a.txt': 'mine', 'x/a.restored.txt': 'taken' })
  const { sessionId, history } = work
  const files = [{ path: 'x/a.txt', choice: 'both' as const }]
  const result = await history.rewind({ sessionId, messageId: work.ids[0] ?? '', files })
  const copy = 'x/a.restored-1.txt'
  expect(result.files).toEqual({ count: 1, fates: [{ path: 'x/a.txt', fate: 'beside', copy }] })
  expect(work.files()).toEqual({ 'x/a.txt': 'mine', 'x/a.restored.txt': 'taken', [copy]: 'old' })
  await history.unrewind({ sessionId })
  expect(work.files()).toEqual({ 'x/a.txt': 'mine', 'x/a.restored.txt': 'taken' })
})

test('RW-12 what a person saves between two calls is theirs: it is listed so, and no rewind touches it', async () => {
  await using work = await openWork({ first: { a: '1' }, second: { b: '1' } })
  work.write({ mine: '0' })
  await work.ask('first')
  work.write({ mine: '1' })
  await work.ask('second')
  const { files } = await work.changes.list({ sessionId: work.sessionId })
  expect(files.map(({ path }) => path).toSorted()).toEqual(['a', 'b'])
  expect(await work.rewind(work.ids[0])).toMatchObject({ files: { count: 2 } })
  expect(work.files()).toEqual({ mine: '1' })
})

test('RW-11 a file, or a hunk of it, is taken back and restored again, as operations in the timeline', async () => {
  const lines = (first: string, last: string) => `${first}\n${'same\n'.repeat(20)}${last}\n`
  await using work = await openWork({ edit: { a: lines('ours', 'ours'), b: 'made' } })
  work.write({ a: lines('old', 'old') })
  await work.ask('edit')
  const { sessionId, changes, history } = work
  const shown = await changes.diff({ sessionId, path: 'a' })
  expect([shown.hunks, shown.change?.added, shown.change?.removed]).toEqual([2, 2, 2])
  const part = await changes.revert({ sessionId, hunks: [{ path: 'a', hunks: [1] }] })
  expect(work.files()['a']).toBe(lines('ours', 'old'))
  const whole = await changes.revert({ sessionId, paths: ['a', 'b'] })
  expect(work.files()).toEqual({ a: lines('old', 'old') })
  const runId = (await lastReply(work.lab, sessionId))?.metadata?.runId ?? ''
  expect((await changes.list({ sessionId, runId })).files.map(({ path, change }) => [path, change])).toEqual([
    ['a', 'unchanged'],
    ['b', 'unchanged'],
  ])
  const timeline = await history.timeline(sessionId)
  expect(timeline.map(({ id, kind, canUndo }) => [id, kind, canUndo])).toEqual([
    [whole.operationId, 'revert', true],
    [part.operationId, 'revert', true],
  ])
  await history.unrewind({ sessionId, operationId: whole.operationId })
  expect(work.files()).toEqual({ a: lines('ours', 'old'), b: 'made' })
  await history.unrewind({ sessionId, operationId: part.operationId })
  expect(work.files()).toEqual({ a: lines('ours', 'ours'), b: 'made' })
  await expect(changes.revert({ sessionId, paths: ['c'] })).rejects.toMatchObject({ field: 'paths.0' })
  await expect(changes.diff({ sessionId, path: 'c' })).rejects.toMatchObject({ field: 'path' })
  const none = { sessionId, hunks: [{ path: 'a', hunks: [7] }] }
  await expect(changes.revert(none)).rejects.toMatchObject({ field: 'hunks.0.hunks' })
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

test('RW-10 with a snapshot layer that fails, sending works; the call whose changes are not kept is named, and the failure is logged', async () => {
  const errors: string[] = []
  const logger = { ...silentLogger, error: (_: object, message: string) => void errors.push(message) }
  await using work = await openWork({ first: { a: '1' }, second: { a: '2' } }, logger)
  await work.ask('first')
  const { capture } = work.snapshots
  work.snapshots.capture = () => Promise.reject(new Error('The index is damaged'))
  await work.ask('second')
  work.snapshots.capture = capture
  expect(textOf((await lastReply(work.lab, work.sessionId)) ?? { id: '', role: 'user', parts: [] })).toBe(
    'Done.',
  )
  const { notKept } = await work.changes.list({ sessionId: work.sessionId })
  expect(notKept).toMatchObject([{ path: '.', reason: 'unknown-folder' }])
  expect(await work.rewind(work.ids[0])).toMatchObject({
    files: { fates: [{ path: 'a', fate: 'conflict' }] },
  })
  expect(work.files()).toEqual({ a: '2' })
  expect(errors).toContain('The files of a call could not be captured')
})

test('RW-9 files that cannot be restored are pending: they are named, and nothing runs before they are settled', async () => {
  await using work = await openWork({ first: { a: '1' } })
  await work.ask('first')
  const { move } = work.snapshots
  work.snapshots.move = () => Promise.reject(new Error('The disk is full'))
  const { sessionId, changes, history } = work
  const result = await work.rewind(work.ids[0])
  expect(result).toMatchObject({ hidden: 1, files: { count: 0, failed: true } })
  const pending = { operationId: result.operationId, paths: ['a'] }
  expect((await changes.list({ sessionId })).pending).toEqual(pending)
  expect(await changes.settle({ sessionId })).toEqual({ pending })
  const refused = { code: 'FILES_PENDING', field: 'filesAsTheyAre' }
  await expect(history.unrewind({ sessionId })).rejects.toMatchObject(refused)
  const message = { parts: [{ type: 'text' as const, text: 'Go on' }] }
  await expect(work.lab.sessions.send({ sessionId, message })).rejects.toMatchObject(refused)
  work.snapshots.move = move
  expect(await changes.settle({ sessionId })).toEqual({ pending: null })
  expect(work.files()).toEqual({})
  await history.unrewind({ sessionId })
  expect(work.files()).toEqual({ a: '1' })
})

test('RW-9 a person can go on with the files as they are', async () => {
  await using work = await openWork({ first: { a: '1' } })
  await work.ask('first')
  const { move } = work.snapshots
  work.snapshots.move = () => Promise.reject(new Error('The disk is full'))
  const { sessionId } = work
  await work.rewind(work.ids[0])
  const message = { parts: [{ type: 'text' as const, text: 'Go on' }] }
  const sent = await work.lab.sessions.send({ sessionId, message, filesAsTheyAre: true })
  await work.lab.chunksOf(sessionId, sent.runId ?? '')
  work.snapshots.move = move
  expect((await work.changes.list({ sessionId })).pending).toBeNull()
  expect(work.files()).toEqual({ a: '1' })
})

test('RW-9 a new message is not answered on files that could not be restored; the run fails, and the rewind can be undone', async () => {
  await using work = await openWork({ first: { a: '1' } })
  await work.ask('first')
  const { move } = work.snapshots
  work.snapshots.move = () => Promise.reject(new Error('The disk is full'))
  const asked = work.lab.steps.length
  const [replaceMessageId = ''] = work.ids
  const message = { parts: [{ type: 'text' as const, text: 'better' }] }
  const sent = await work.lab.sessions.send({ sessionId: work.sessionId, message, replaceMessageId })
  await work.lab.chunksOf(work.sessionId, sent.runId ?? '')
  expect((await lastReply(work.lab, work.sessionId))?.metadata?.error).toMatchObject({
    code: 'FILES_PENDING',
    message: expect.stringContaining('Not all files of the workspace could be restored'),
  })
  expect(work.lab.steps).toHaveLength(asked)
  work.snapshots.move = move
  await work.history.unrewind({ sessionId: work.sessionId })
  expect((await work.lab.visible(work.sessionId)).map(({ id }) => id)).toContain(replaceMessageId)
  expect(work.files()).toEqual({ a: '1' })
})

async function firstRewind({ history, sessionId }: Awaited<ReturnType<typeof openWork>>): Promise<string> {
  return (await history.timeline(sessionId)).at(-1)?.id ?? ''
}
