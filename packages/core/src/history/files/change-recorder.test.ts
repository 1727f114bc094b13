import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { createMemorySnapshots } from '@palimpsest/testing/memory-snapshots.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Session } from '../../domain/session/session.ts'
import { systemClock } from '../../live/system-clock.ts'
import { createChangeRecorder } from './change-recorder.ts'

const ROOT = '/w'
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** A store with a chat, another one and a subagent of the first, and a recorder in a folder of these files. */
async function openPlace(texts: Record<string, string> = {}) {
  const [store, snapshots] = [await createMemoryStore(), createMemorySnapshots()]
  const now = systemClock.now()
  const sessions = new Map<string, Session>()
  const add = async (id: string, parentId: string | null = null) => {
    const session = {
      ...{ id, title: id, agent: 'agent', workspaceRoot: ROOT, workerId: null, model: null, permissions: [] },
      ...{
        metadata: parentId === null ? {} : { subagent: { agent: 'general', ancestors: [parentId] } },
        parentId,
      },
      ...{ parentMessageId: parentId === null ? null : 'reply', createdAt: now, updatedAt: now },
    } as unknown as Session
    await store.sessions.create(session as never)
    sessions.set(id, session)
  }
  await add('chat')
  await add('other')
  const errors: string[] = []
  const failure: { write: Error | null } = { write: null }
  const disk = (root = ROOT) => snapshots.filesOf(root)
  for (const [path, text] of Object.entries(texts)) disk().set(path, text)
  const files = {
    ...createMemoryFiles(),
    write(root: string, path: string, bytes: Uint8Array) {
      if (failure.write !== null) return Promise.reject(failure.write)
      disk(root).set(path, new TextDecoder().decode(bytes))
      return Promise.resolve()
    },
  }
  const logger = { ...silentLogger, error: (_: object, message: string) => void errors.push(message) }
  const start = () => createChangeRecorder({ store, clock: systemClock, logger, snapshots, files })
  const textOf = async (state: { id: string } | null) =>
    state === null ? null : new TextDecoder().decode((await snapshots.read(ROOT, state.id)) ?? undefined)
  const recorder = start()
  const journal = (id = 'chat', by = recorder, root = ROOT) =>
    by.openRun({ session: sessions.get(id) as Session, runId: `run_${id}`, messageId: 'reply' }, root)
  return {
    store,
    snapshots,
    disk,
    add,
    errors,
    failure,
    recorder,
    journal,
    /** The recorder of a host that was started again. */
    start,
    /** A call of a command that does this. */
    command: (changes: Record<string, string>, call = 'call', by = journal()) =>
      by.around(call, async () => {
        for (const [path, text] of Object.entries(changes)) disk().set(path, text)
      }),
    write: (path: string, text: string, call = 'call', by = journal()) =>
      by.filesFor(call).write(ROOT, path, bytesOf(text), null),
    rows: (id = 'chat') => store.fileChanges.ofSession(id, 0),
    /** Each row: by whom, its call, path, texts and status. */
    async said(id = 'chat') {
      const said: string[] = []
      for (const row of await store.fileChanges.ofSession(id, 0)) {
        const [before, after] = [await textOf(row.before), await textOf(row.after)]
        said.push(`${row.author} ${row.toolCallId} ${row.path}: ${before} → ${after}, ${row.status}`)
      }
      return said
    },
  }
}

/** A promise that is resolved by hand. */
const signal = () => Promise.withResolvers<void>()

test('RW-5 what a command changes is its call’s: what it made, changed and removed, and nothing else', async () => {
  const place = await openPlace({ a: '0', gone: '0', same: '0' })
  await place.journal().around('call', async () => {
    place.disk().set('a', '1')
    place.disk().set('made', '1')
    place.disk().delete('gone')
  })
  expect(await place.said()).toEqual([
    'call call a: 0 → 1, made',
    'call call gone: 0 → null, made',
    'call call made: null → 1, made',
  ])
  expect(await place.store.fileChanges.unfinished()).toEqual([])
})

test('RW-5 a command gives back what its work gave, and one that fails has its changes noted all the same', async () => {
  const place = await openPlace()
  expect(await place.journal().around('call', () => Promise.resolve(7))).toBe(7)
  const failing = place.journal().around('call', async () => {
    place.disk().set('a', '1')
    throw new Error('Exit 1')
  })
  await expect(failing).rejects.toThrow('Exit 1')
  expect(await place.said()).toEqual(['call call a: null → 1, made'])
})

test('RW-5 what a person saves between two calls is theirs, and the next call starts from it', async () => {
  const place = await openPlace({ a: '0', mine: '0' })
  await place.command({ a: '1' }, 'first')
  place.disk().set('mine', '1')
  place.disk().set('a', '2')
  await place.command({ a: '3' }, 'second')
  expect(await place.said()).toEqual([
    'call first a: 0 → 1, made',
    'person null a: 1 → 2, made',
    'person null mine: 0 → 1, made',
    'call second a: 2 → 3, made',
  ])
})

test('RW-5 a write is noted before it is made, and not once more by a command around it', async () => {
  const place = await openPlace({ a: '0' })
  await place.command({}, 'start')
  await place.write('a', '1', 'write')
  await place.command({}, 'next')
  await place.command({ b: '1' }, 'last')
  expect(await place.said()).toEqual(['call write a: 0 → 1, made', 'call last b: null → 1, made'])
})

test('RW-5 a write that is refused leaves no row of its own, and the state before is known', async () => {
  const place = await openPlace({ a: '0' })
  place.failure.write = new Error('Changed by somebody else')
  await expect(place.write('a', '1')).rejects.toThrow('Changed by somebody else')
  expect(await place.rows()).toEqual([])
  place.failure.write = null
  await place.write('a', '2')
  expect(await place.said()).toEqual(['call call a: 0 → 2, made'])
})

test('RW-12 a write to what a person has saved since notes their version before its own, also when it is refused', async () => {
  const place = await openPlace()
  await place.write('a', '1', 'first')
  place.disk().set('a', 'mine')
  place.failure.write = new Error('Changed by somebody else')
  await expect(place.write('a', '2', 'refused')).rejects.toThrow()
  place.failure.write = null
  await place.write('a', '3', 'second')
  expect(await place.said()).toEqual([
    'call first a: null → 1, made',
    'person null a: 1 → mine, made',
    'call second a: mine → 3, made',
  ])
})

test('RW-12 a host that was started again takes what an earlier one noted for nobody else’s', async () => {
  const place = await openPlace()
  await place.write('a', '1', 'first')
  await place.write('b', '1', 'first')
  place.disk().set('b', 'mine')
  const journal = place.journal('chat', place.start())
  await place.write('a', '2', 'second', journal)
  await place.write('b', '2', 'second', journal)
  expect((await place.said()).slice(2)).toEqual([
    'call second a: 1 → 2, made',
    'person null b: 1 → mine, made',
    'call second b: mine → 2, made',
  ])
})

test('RW-12 a command of a host that was started again finds what an earlier one has written, and no person', async () => {
  const place = await openPlace({ a: '0', b: '0' })
  await place.command({}, 'start')
  await place.write('a', '1', 'write')
  place.disk().set('b', 'mine')
  await place.command({}, 'next', place.journal('chat', place.start()))
  expect(await place.said()).toEqual(['call write a: 0 → 1, made', 'person null b: 0 → mine, made'])
})

test('RW-12 of chats in a folder and in one inside of it each has the change by its own path, and both versions among its contents', async () => {
  const place = await openPlace({ 'sub/a': '0' })
  const inside = `${ROOT}/sub`
  await place.command({}, 'start')
  const [outer, inner] = [signal(), signal()]
  const one = place.journal().around('outer', () => outer.promise)
  const two = place.journal('other', place.recorder, inside).around('inner', () => inner.promise)
  await expect.poll(() => place.store.fileChanges.unfinished()).toHaveLength(2)
  place.disk().set('sub/a', '1')
  outer.resolve()
  await one
  inner.resolve()
  await two
  const [own] = await place.rows('other')
  expect(own).toMatchObject({ root: inside, path: 'a', status: 'uncertain' })
  for (const [state, text] of [
    [own?.before, '0'],
    [own?.after, '1'],
  ] as const)
    expect(new TextDecoder().decode((await place.snapshots.read(inside, state?.id ?? '')) ?? undefined)).toBe(
      text,
    )
  expect(await place.said()).toEqual(['call outer sub/a: 0 → 1, uncertain'])
})

test('RW-12 what an operation has restored is nobody’s change, a later one is a person’s', async () => {
  const place = await openPlace({ a: '0' })
  await place.command({ a: '1' }, 'first')
  place.disk().set('a', '0')
  place.recorder.known(
    ROOT,
    'a',
    await place.snapshots.look(ROOT, 'a').then((it) => ('state' in it ? it.state : null)),
  )
  await place.command({}, 'second')
  expect(await place.said()).toEqual(['call first a: 0 → 1, made'])
  place.disk().set('a', '5')
  await place.command({}, 'third')
  expect((await place.said()).slice(1)).toEqual(['person null a: 0 → 5, made'])
})

test('RW-12 while commands of one chat overlap, a change is that of the first one, and certain', async () => {
  const place = await openPlace({ a: '0' })
  const [first, second] = [signal(), signal()]
  const one = place.journal().around('first', () => first.promise)
  const two = place.journal().around('second', () => second.promise)
  await expect.poll(() => place.store.fileChanges.unfinished()).toHaveLength(2)
  place.disk().set('a', '1')
  second.resolve()
  await two
  first.resolve()
  await one
  expect(await place.said()).toEqual(['call first a: 0 → 1, made'])
})

test('RW-12 while commands of two chats overlap, a change is noted for each and uncertain; after the end of one it is the other’s', async () => {
  const place = await openPlace({ a: '0' })
  const [first, second] = [signal(), signal()]
  const one = place.journal('chat').around('first', () => first.promise)
  const two = place.journal('other').around('second', () => second.promise)
  await expect.poll(() => place.store.fileChanges.unfinished()).toHaveLength(2)
  place.disk().set('a', '1')
  second.resolve()
  await two
  place.disk().set('a', '2')
  first.resolve()
  await one
  expect(await place.said('other')).toEqual(['call second a: 0 → 1, uncertain'])
  expect(await place.said('chat')).toEqual(['call first a: 0 → 1, uncertain', 'call first a: 1 → 2, made'])
})

test('RW-12 what changes while only a command in the background runs is uncertain, and with one in the foreground that one’s', async () => {
  const place = await openPlace({ a: '0' })
  const server = signal()
  place.journal().follow('server', server.promise)
  await expect.poll(() => place.store.fileChanges.unfinished()).toHaveLength(1)
  await place.command({ a: '1' }, 'command')
  place.disk().set('a', '2')
  server.resolve()
  await expect.poll(() => place.store.fileChanges.unfinished()).toEqual([])
  expect(await place.said()).toEqual(['call command a: 0 → 1, made', 'call server a: 1 → 2, uncertain'])
  place.disk().set('a', '3')
  await place.command({}, 'next')
  expect((await place.said()).at(-1)).toBe('person null a: 2 → 3, made')
})

test('RW-5 SA-2 a subagent’s change is a row of its own session and of the chat above', async () => {
  const place = await openPlace({ a: '0' })
  await place.add('child', 'chat')
  await place.command({ a: '1' }, 'call', place.journal('child'))
  expect(await place.rows('child')).toMatchObject([{ toolCallId: 'call', madeIn: 'child', path: 'a' }])
  expect(await place.rows('chat')).toMatchObject([{ toolCallId: null, madeIn: 'child', messageId: 'reply' }])
  await place.write('b', '1', 'write', place.journal('child'))
  expect((await place.rows('chat')).map(({ path }) => path)).toEqual(['a', 'b'])
  place.failure.write = new Error('Refused')
  await expect(place.write('c', '1', 'write', place.journal('child'))).rejects.toThrow()
  expect((await place.rows('chat')).map(({ path }) => path)).toEqual(['a', 'b'])
  expect((await place.rows('child')).map(({ path }) => path)).toEqual(['a', 'b'])
})

test.for([['before'], ['after']] as const)(
  'RW-10 a call of which the capture %s it fails runs and is named, and the next one is captured again',
  async ([when]) => {
    const place = await openPlace({ a: '0' })
    const { capture } = place.snapshots
    const fail = () => {
      place.snapshots.capture = () => Promise.reject(new Error('The index is damaged'))
    }
    if (when === 'before') fail()
    await place.journal().around('call', async () => {
      place.disk().set('a', '1')
      if (when === 'after') fail()
    })
    expect(place.disk().get('a')).toBe('1')
    const named = (await place.rows()).filter(({ status }) => status === 'not-kept')
    expect(named).toMatchObject([{ path: '.', reason: 'unknown-folder', toolCallId: 'call' }])
    expect(place.errors).toEqual(['The files of a call could not be captured'])
    place.snapshots.capture = capture
    await place.command({ b: '1' }, 'next')
    expect((await place.said()).at(-1)).toBe('call next b: null → 1, made')
  },
)

test('RW-10 in a folder that is not captured a command is named and a write is noted', async () => {
  const place = await openPlace({ a: '0' })
  place.snapshots.uncover()
  await place.command({ a: '1' }, 'command')
  await place.write('b', '1', 'write')
  expect(await place.said()).toEqual([
    'call command .: null → null, not-kept',
    'call write b: null → 1, made',
  ])
  expect(place.errors).toEqual([])
})

test('RW-5 a write over what is no file is left to the workspace’s files, and not noted', async () => {
  const place = await openPlace()
  place.snapshots.look = () => Promise.resolve({ type: 'blocked', reason: 'folder' })
  place.failure.write = new Error('It is a folder')
  await expect(place.write('a', '1')).rejects.toThrow('It is a folder')
  expect(await place.rows()).toEqual([])
})

test('RW-9 a chat is idle once no command in the foreground works; one in the background or in another chat is not waited for', async () => {
  const place = await openPlace()
  const [work, server] = [signal(), signal()]
  place.journal().follow('server', server.promise)
  const command = place.journal().around('call', () => work.promise)
  const done: string[] = []
  const idle = place.recorder.idle('chat').then(() => done.push('idle'))
  await place.recorder.idle('other')
  await place.recorder.idle('none')
  await expect.poll(() => place.store.fileChanges.unfinished()).toHaveLength(2)
  expect(done).toEqual([])
  work.resolve()
  await Promise.all([command, idle])
  expect(done).toEqual(['idle'])
  await place.recorder.idle('chat')
  server.resolve()
})

test('RW-9 SA-2 a chat is not idle while a command of its subagent works', async () => {
  const place = await openPlace()
  await place.add('child', 'chat')
  const child = await place.store.sessions.get('child')
  const work = signal()
  const command = place.journal('child').around('call', () => work.promise)
  let idle = false
  const waited = place.recorder.idle('chat').then(() => {
    idle = true
  })
  await expect.poll(() => place.store.fileChanges.unfinished()).not.toEqual([])
  expect([child?.parentId, idle]).toEqual(['chat', false])
  work.resolve()
  await Promise.all([command, waited])
})

test('RW-9 what a dead host’s call has changed is uncertain, and its mark goes', async () => {
  const place = await openPlace({ a: '0' })
  void place.journal().around('call', () => signal().promise)
  await expect.poll(() => place.store.fileChanges.unfinished()).toHaveLength(1)
  place.disk().set('a', '1')
  await place.start().adopt(await place.store.fileChanges.unfinished())
  expect(await place.said()).toEqual(['call call a: 0 → 1, uncertain'])
})

test('RW-9 a dead host’s mark goes also when the folder can’t be captured any more', async () => {
  const place = await openPlace({ a: '0' })
  void place.journal().around('call', () => signal().promise)
  await expect.poll(() => place.store.fileChanges.unfinished()).toHaveLength(1)
  const open = await place.store.fileChanges.unfinished()
  place.snapshots.capture = () => Promise.reject(new Error('The folder is gone'))
  await place.start().adopt(open)
  expect(await place.store.fileChanges.unfinished()).toEqual([])
  expect(place.errors).toEqual(['The files of a call could not be captured'])
})

test('RW-12 whoever changes a file in whatever order, each change always starts where the one before ended, and has its own author', async () => {
  const act = fc.record({
    by: fc.constantFrom('command', 'write', 'person'),
    path: fc.constantFrom('a', 'b'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12 }), async (acts) => {
      const place = await openPlace({ a: '0', b: '0' })
      await place.command({}, 'start')
      for (const [at, { by, path }] of acts.entries()) {
        const text = `${by} ${at}`
        if (by === 'command') await place.command({ [path]: text })
        else if (by === 'write') await place.write(path, text)
        else place.disk().set(path, text)
      }
      await place.command({}, 'end')
      const rows = (await place.said()).map((line) => /^(\w+) \w+ (\w): (.+) → (.+), made$/.exec(line) ?? [])
      for (const [, author, , , after] of rows)
        expect(author).toBe(after?.startsWith('person') ? 'person' : 'call')
      for (const path of ['a', 'b']) {
        const own = rows.filter((row) => row[2] === path)
        expect(own.slice(1).map((row) => row[3])).toEqual(own.slice(0, -1).map((row) => row[4]))
        expect(own.at(-1)?.[4] ?? '0').toBe(place.disk().get(path))
      }
    }),
    { numRuns: 60 },
  )
})
