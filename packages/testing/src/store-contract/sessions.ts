import { expect, test } from 'vitest'
import {
  asks,
  lease,
  MODEL,
  newSession,
  type OpenFixture,
  removeSession,
  turn,
  userMessage,
} from './fixtures.ts'

export function sessionContract(open: OpenFixture): void {
  test('ID-2 a repeated creation is answered with the first session, another content is a conflict', async () => {
    await using fixture = await open()
    const { sessions } = fixture.store
    const first = await sessions.create(newSession('a', { title: 'Plans', metadata: { b: 1, a: 2 } }))
    const again = newSession('a', { title: 'Plans', metadata: { b: 1, a: 2 }, at: 9_000 })
    expect(await sessions.create(again)).toEqual(first)
    await expect(sessions.create(newSession('a', { title: 'Other' }))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await sessions.rename('a', 'Renamed', 2_000)
    expect(await sessions.create(again)).toMatchObject({ title: 'Renamed' })

    const planned = newSession('b', { permissions: [{ mode: 'plan' }] })
    expect(await sessions.create(planned)).toMatchObject({ permissions: [{ mode: 'plan' }] })
    expect(await sessions.create(planned)).toMatchObject({ permissions: [{ mode: 'plan' }] })
    await expect(sessions.create(newSession('b'))).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('SX-9 a session without a folder gets one once, and keeps it', async () => {
    await using fixture = await open()
    const { sessions } = fixture.store
    await sessions.create(newSession('a', { workspaceRoot: null }))
    const chosen = await sessions.setFolder('a', '/w', 2_000)
    expect(chosen).toMatchObject({ workspaceRoot: '/w', updatedAt: 2_000, revision: 1 })
    expect(await sessions.setFolder('a', '/w', 3_000)).toEqual(chosen)
    expect(await sessions.setFolder('a', '/other', 3_000)).toBeNull()
    expect(await sessions.get('a')).toEqual(chosen)
    expect(
      (await sessions.list({ limit: 5, archived: false, ephemeral: false, workspaceRoot: '/w' })).items,
    ).toEqual([chosen])
    // A creation that is repeated late is still the same one.
    expect(await sessions.create(newSession('a', { workspaceRoot: null }))).toEqual(chosen)
    const other = sessions.create(newSession('a', { workspaceRoot: '/other' }))
    await expect(other).rejects.toMatchObject({ code: 'CONFLICT' })
    await sessions.create(newSession('b', { workspaceRoot: '/w' }))
    const without = sessions.create(newSession('b', { workspaceRoot: null }))
    await expect(without).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('ID-2 a session that does not exist is null to read and an error to change', async () => {
    await using fixture = await open()
    const { sessions } = fixture.store
    expect(await sessions.get('none')).toBeNull()
    const changes = [
      sessions.rename('none', 'x', 1),
      sessions.setGeneratedTitle('none', 'x', 1),
      sessions.setArchived('none', 1, 1),
      sessions.setFolder('none', '/w', 1),
      sessions.setModel('none', { providerId: 'lab', modelId: 'two' }, 1),
      sessions.delete('none', { withBranches: false, at: 1 }),
      sessions.restore('none', 1).then(() => sessions.purge('none')),
      sessions.deletion('none', true),
    ]
    for (const change of changes) await expect(change).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })

  test('DA-4 the columns of a session come back as they were written', async () => {
    await using fixture = await open()
    const { sessions } = fixture.store
    await sessions.create(newSession('p'))
    const wanted = newSession('a', {
      title: 'Ünïcode 🜂',
      workspaceRoot: '/home/me/work',
      model: { providerId: 'lab', modelId: 'one', variant: 'high' },
      parentId: 'p',
      parentMessageId: 'm',
      metadata: { ephemeral: true, titledBy: 'user', own: { key: [1.5, null] } },
    })
    const { at, ...content } = wanted
    const made = await sessions.create(wanted)
    expect(made).toMatchObject({ ...content, createdAt: at, updatedAt: at, archivedAt: null, revision: 0 })
    expect(await sessions.get('a')).toEqual(made)
  })

  test('DA-1 a generated title never replaces a title that a user set, in either order', async () => {
    await using fixture = await open()
    const { sessions } = fixture.store
    for (const id of ['a', 'b', 'c']) await sessions.create(newSession(id))
    await sessions.create(newSession('d', { title: 'Given at creation' }))
    await Promise.all([sessions.rename('a', 'Mine', 2), sessions.setGeneratedTitle('a', 'Made', 3)])
    await Promise.all([sessions.setGeneratedTitle('b', 'Made', 2), sessions.rename('b', 'Mine', 3)])
    expect(await sessions.setGeneratedTitle('c', 'Made', 2)).toMatchObject({ title: 'Made' })
    expect(await sessions.setGeneratedTitle('c', 'Again', 3)).toBeNull()
    expect(await sessions.setGeneratedTitle('d', 'Made', 3)).toBeNull()
    const titles = await Promise.all(['a', 'b', 'c', 'd'].map((id) => sessions.get(id)))
    expect(titles.map((session) => session?.title)).toEqual(['Mine', 'Mine', 'Made', 'Given at creation'])
  })

  test('UI-35 the first message names its session in the same write, and a person’s title stays', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await store.sessions.create(newSession('b', { title: 'Mine', metadata: { titledBy: 'user' } }))
    await store.sessions.create(newSession('c', { title: 'New chat', metadata: { titledBy: 'user' } }))
    await store.sessions.create(
      newSession('d', { title: 'Mine', metadata: { titledBy: 'parent' }, parentId: 'b' }),
    )
    await store.sessions.create(newSession('e', { title: 'Kept', metadata: { titledBy: 'parent' } }))
    const named = { title: 'Why zebras?', metadata: { titledBy: 'first-words' } }
    const begun = await store.runs.begin(lease('a', 1), asks(userMessage('a', 'ma', 'Why\n zebras?')))
    expect(begun?.session).toMatchObject(named)
    expect(await store.sessions.get('a')).toEqual(begun?.session)
    for (const id of ['b', 'c', 'd', 'e'])
      await store.runs.begin(lease(id, 1), asks(userMessage(id, `m${id}`, 'Why zebras?')))
    expect(await store.sessions.get('b')).toMatchObject({ title: 'Mine', metadata: { titledBy: 'user' } })
    expect(await store.sessions.get('c')).toMatchObject({ title: 'New chat', metadata: { titledBy: 'user' } })
    expect(await store.sessions.get('d')).toMatchObject(named)
    expect(await store.sessions.get('e')).toMatchObject({ title: 'Kept', metadata: { titledBy: 'parent' } })
  })

  test('UI-35 first words are replaced by a generated title, and not by another message', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await turn(store, 'a', 'm1', { question: 'Why zebras?' })
    await turn(store, 'a', 'm2', { question: 'And lions?' })
    expect((await store.sessions.get('a'))?.title).toBe('Why zebras?')
    const { items } = await store.sessions.list({
      limit: 5,
      search: 'zebr',
      archived: false,
      ephemeral: false,
    })
    expect(items.map(({ id }) => id)).toEqual(['a'])
    expect(await store.sessions.setGeneratedTitle('a', 'Stripes', 9_000)).toMatchObject({
      title: 'Stripes',
      metadata: { titledBy: 'generated' },
    })
    expect(await store.sessions.setGeneratedTitle('a', 'Again', 9_001)).toBeNull()
  })

  test('UI-35 a queued message names its session when it fires', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await store.queue.add(userMessage('a', 'm1', 'Why zebras?'), 2_000)
    const trigger = { type: 'queued', messageId: null, model: MODEL, change: null } as const
    const begun = await store.runs.begin(lease('a', 1), trigger)
    expect(begun?.session).toMatchObject({ title: 'Why zebras?', metadata: { titledBy: 'first-words' } })
  })

  test('DA-1 every change of a session makes its revision grow', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const revisions = [
      await store.sessions.rename('a', 'x', 2),
      await store.sessions.setModel('a', { providerId: 'lab', modelId: 'two' }, 3),
      await turn(store, 'a', 'm1'),
      await store.sessions.setArchived('a', 5_000, 5_000),
      await store.sessions.setArchived('a', null, 5_001),
    ].map(({ revision }) => revision)
    expect(revisions.every((revision, index) => revision > (revisions[index - 1] ?? 0))).toBe(true)
  })

  test('DA-1 a deleted session takes its rows with it and leaves its children as roots', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await turn(store, 'a', 'm1', { question: 'zebra' })
    await store.sessions.create(newSession('b', { parentId: 'a', parentMessageId: 'm1' }))
    await removeSession(store, 'a')
    expect(await store.sessions.get('a')).toBeNull()
    expect(await store.messages.get('a', 'm1')).toBeNull()
    expect(await store.sessions.get('b')).toMatchObject({ parentId: null, parentMessageId: null })
    expect((await store.messages.search({ text: 'zebra', limit: 10 })).items).toEqual([])
    expect(await store.reports.counts()).toEqual({ sessions: 1, messages: 0 })
  })

  test('DA-6 a store keeps its id when another host opens it', async () => {
    await using fixture = await open()
    const { storeId } = fixture.store
    expect(storeId).not.toBe('')
    const restarted = await fixture.restart()
    expect(restarted.storeId).toBe(storeId)
  })
}
