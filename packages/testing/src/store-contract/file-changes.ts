import type { NewFileChange } from '@palimpsest/core/domain'
import { JOURNAL_PAGE, type Store } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { newSession, type OpenFixture, planned, removeSession, turn } from './fixtures.ts'

const ROOT = '/work/shop'
const [A, B] = [
  { id: 'a'.repeat(40), mode: '100644' as const },
  { id: 'b'.repeat(40), mode: '100755' as const },
]

function changeOf(sessionId: string, path: string, over: Partial<NewFileChange> = {}): NewFileChange {
  return {
    sessionId,
    author: 'call',
    messageId: 'm1',
    runId: 'run_1',
    toolCallId: 'call_1',
    madeIn: sessionId,
    operationId: null,
    root: ROOT,
    path,
    before: A,
    after: B,
    status: 'made',
    reason: null,
    createdAt: 5_000,
    ...over,
  }
}

async function allOf(store: Store, sessionId: string) {
  return await store.fileChanges.ofSession(sessionId, 0)
}

export function fileChangeContract(open: OpenFixture): void {
  test('RW-5 a change of a file is read as it was written, in order, in its session alone, after a restart too', async () => {
    await using fixture = await open()
    const { store } = fixture
    for (const id of ['a', 'b']) await store.sessions.create(newSession(id))
    const changes = [
      changeOf('a', 'one.txt'),
      changeOf('a', 'ä/"two"\n.txt', { before: null, messageId: null, runId: null, toolCallId: null }),
      changeOf('a', 'one.txt', { after: null, author: 'person', status: 'uncertain', madeIn: 'child' }),
      changeOf('a', 'big', {
        status: 'not-kept',
        reason: 'too-large',
        author: 'operation',
        operationId: 'op_1',
      }),
    ]
    const ordinals = await store.fileChanges.add([...changes, changeOf('b', 'one.txt')])
    expect(ordinals).toEqual(ordinals.toSorted((one, other) => one - other))
    const expected = changes.map((change, at) => ({ ...change, ordinal: ordinals[at] }))
    expect(await allOf(store, 'a')).toEqual(expected)
    expect(await store.fileChanges.ofSession('a', ordinals[1] ?? 0)).toEqual(expected.slice(2))
    const again = await fixture.restart()
    expect(await allOf(again, 'a')).toEqual(expected)
    expect(await again.fileChanges.latest('a', ROOT, 'one.txt')).toEqual(expected[2])
    expect(await again.fileChanges.latest('a', '/other', 'one.txt')).toBeNull()
  })

  test('RW-9 what a host has not finished is found, changed and replaced', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const [pending = 0, opened = 0] = await store.fileChanges.add([
      changeOf('a', 'one', { status: 'pending' }),
      changeOf('a', '.', { status: 'open', before: A, after: null }),
      changeOf('a', 'two'),
    ])
    expect((await store.fileChanges.unfinished()).map(({ ordinal }) => ordinal)).toEqual([pending, opened])
    await store.fileChanges.update([{ ordinal: pending, status: 'made', before: null }])
    const [made = 0] = await store.fileChanges.replace([opened], [changeOf('a', 'three')])
    expect(await store.fileChanges.unfinished()).toEqual([])
    expect((await allOf(store, 'a')).map(({ path, before, after }) => [path, before, after])).toEqual([
      ['one', null, B],
      ['two', A, B],
      ['three', A, B],
    ])
    expect(made).toBeGreaterThan(opened)
  })

  test('RW-9 the files of an operation are stored with it or not at all, and go with their session', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await turn(store, 'a', 'm1')
    const files = [changeOf('a', 'one', { status: 'pending', author: 'operation', operationId: 'op_1' })]
    const stale = planned('a', 'op_1', { lastSeq: 9 })
    await expect(store.history.apply({ ...stale, files })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await allOf(store, 'a')).toEqual([])
    await store.history.apply({ ...planned('a', 'op_1', { lastSeq: 2 }), files })
    expect(await allOf(store, 'a')).toMatchObject(files)
    await removeSession(store, 'a')
    expect(await store.fileChanges.ofSession('a', 0)).toEqual([])
  })

  test('RW-5 many changes come in pages, and none is added to a session that is gone', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const many = Array.from({ length: JOURNAL_PAGE + 5 }, (_, n) => changeOf('a', `file-${n}`))
    const ordinals = await store.fileChanges.add(many)
    const first = await allOf(store, 'a')
    const rest = await store.fileChanges.ofSession('a', first.at(-1)?.ordinal ?? 0)
    expect([first.length, rest.length]).toEqual([JOURNAL_PAGE, 5])
    expect([...first, ...rest].map(({ ordinal }) => ordinal)).toEqual(ordinals)
    await expect(store.fileChanges.add([changeOf('a', 'x'), changeOf('gone', 'x')])).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
    expect(await store.fileChanges.ofSession('a', ordinals.at(-1) ?? 0)).toEqual([])
  })
}
