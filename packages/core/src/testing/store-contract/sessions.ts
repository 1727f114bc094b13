import { expect, test } from 'vitest'
import { newSession, type OpenFixture, turn } from './fixtures.ts'

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
  })

  test('ID-2 a session that does not exist is null to read and an error to change', async () => {
    await using fixture = await open()
    const { sessions } = fixture.store
    expect(await sessions.get('none')).toBeNull()
    const changes = [
      sessions.rename('none', 'x', 1),
      sessions.setGeneratedTitle('none', 'x', 1),
      sessions.setArchived('none', 1, 1),
      sessions.setModel('none', { providerId: 'lab', modelId: 'two' }, 1),
      sessions.delete('none'),
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
    await store.sessions.delete('a')
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
