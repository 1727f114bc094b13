import { MEMORY_LIMITS } from '@palimpsest/core/domain'
import type { NewMemory, Store } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OpenFixture } from './fixtures.ts'

const origin = { sessionId: 's1', messageId: 'm1' }

function memory(name: string, over: Partial<NewMemory> = {}): NewMemory {
  const text = { description: `About ${name}`, type: 'note', body: `All about ${name}` }
  return { workspaceRoot: null, name, ...text, origin, ...over }
}

const names = async (store: Store, root: string | null) =>
  (await store.memories.index(root)).map(({ scope, name }) => `${scope}/${name}`)

async function fill(store: Store, count: number, add: 'put' | 'propose'): Promise<void> {
  for (let at = 0; at < count; at++) await store.memories[add](memory(`n${at}`), 1_000 + at)
}

export function memoryContract(open: OpenFixture): void {
  test('ME-1 a memory is read back as it was written, with its origin, and outlives the host', async () => {
    await using fixture = await open()
    const given = memory('tabs', { description: 'Prefers “tabs”. 東京', body: 'Line 1\n\nLine 2 🖋' })
    const written = await fixture.store.memories.put(given, 1_000)
    expect(written).toEqual({
      ...given,
      id: written.id,
      scope: 'user',
      state: 'accepted',
      createdAt: 1_000,
      updatedAt: 1_000,
    })
    const store = await fixture.restart()
    expect(await store.memories.find(null, 'tabs')).toEqual(written)
    expect((await store.memories.page({ limit: 10 })).items).toEqual([written])
  })

  test('ME-1 a name is one memory of its place, and a second write replaces it', async () => {
    await using fixture = await open()
    const { memories } = fixture.store
    const first = await memories.put(memory('tabs'), 1_000)
    const second = await memories.put(memory('tabs', { body: 'Now spaces', origin: null }), 2_000)
    expect(second).toMatchObject({ id: first.id, body: 'Now spaces', origin: null, createdAt: 1_000 })
    const other = await memories.put(memory('tabs', { workspaceRoot: '/w' }), 3_000)
    expect(other).toMatchObject({ scope: 'project', workspaceRoot: '/w' })
    expect(other.id).not.toBe(first.id)
    expect((await memories.page({ limit: 10 })).items).toHaveLength(2)
  })

  test('ME-1 a workspace has its own memories and those of the user, by scope and name, without bodies', async () => {
    await using fixture = await open()
    const { store } = fixture
    for (const name of ['é', 'b', 'a', 'Z']) await store.memories.put(memory(name), 1_000)
    await store.memories.put(memory('a', { workspaceRoot: '/w' }), 2_000)
    await store.memories.put(memory('theirs', { workspaceRoot: '/other' }), 2_000)
    expect(await names(store, '/w')).toEqual(['user/Z', 'user/a', 'user/b', 'user/é', 'project/a'])
    expect(await names(store, null)).toEqual(['user/Z', 'user/a', 'user/b', 'user/é'])
    expect((await store.memories.index(null))[0]).not.toHaveProperty('body')
  })

  test('ME-1 a deleted memory is gone from every read, once', async () => {
    await using fixture = await open()
    const { store } = fixture
    const { id } = await store.memories.put(memory('tabs'), 1_000)
    expect(await store.memories.remove(id)).toBe(true)
    expect(await store.memories.remove(id)).toBe(false)
    expect(await store.memories.find(null, 'tabs')).toBeNull()
    expect(await names(store, null)).toEqual([])
    expect((await store.memories.page({ limit: 10 })).items).toEqual([])
    expect(await store.memories.edit(id, memory('tabs'), 2_000)).toBeNull()
  })

  test('ME-2 a proposal is in no index until a person accepts it, and an edit accepts it', async () => {
    await using fixture = await open()
    const { store } = fixture
    const proposed = await store.memories.propose(memory('tabs'), 1_000)
    expect(proposed).toMatchObject({ state: 'proposed', origin })
    expect(await names(store, null)).toEqual([])
    const text = { name: 'spaces', description: 'Prefers spaces', type: 'preference', body: 'Two of them' }
    const accepted = await store.memories.edit(proposed?.id ?? '', text, 2_000)
    expect(accepted).toEqual({ ...proposed, ...text, state: 'accepted', updatedAt: 2_000 })
    expect(await names(store, null)).toEqual(['user/spaces'])
  })

  test('ME-2 a proposal replaces a proposal of its name, and never an accepted memory', async () => {
    await using fixture = await open()
    const { memories } = fixture.store
    await memories.propose(memory('a'), 1_000)
    expect(await memories.propose(memory('a', { body: 'Newer' }), 2_000)).toMatchObject({ body: 'Newer' })
    const written = await memories.put(memory('b'), 1_000)
    expect(await memories.propose(memory('b', { body: 'Worse' }), 2_000)).toBeNull()
    expect(await memories.find(null, 'b')).toEqual(written)
  })

  test('ME-1 an edit cannot take the name of another memory of its place', async () => {
    await using fixture = await open()
    const { memories } = fixture.store
    const a = await memories.put(memory('a'), 1_000)
    await memories.put(memory('b'), 1_000)
    await memories.put(memory('c', { workspaceRoot: '/w' }), 1_000)
    await expect(memories.edit(a.id, memory('b'), 2_000)).rejects.toMatchObject({
      code: 'CONFLICT',
      field: 'name',
    })
    expect(await memories.edit(a.id, memory('c'), 2_000)).toMatchObject({ name: 'c' })
  })

  test('ME-1 pages meet without overlap, by scope and workspace too, and a bad cursor is refused', async () => {
    await using fixture = await open()
    const { memories } = fixture.store
    await fill(fixture.store, 5, 'put')
    await memories.put(memory('w', { workspaceRoot: '/w' }), 2_000)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query = { limit: 2, scope: 'user' as const, ...(cursor !== null && { cursor }) }
      const { items, nextCursor }: Awaited<ReturnType<typeof memories.page>> = await memories.page(query)
      seen.push(...items.map(({ name }) => name))
      cursor = nextCursor
    } while (cursor !== null)
    expect(seen.toSorted()).toEqual(['n0', 'n1', 'n2', 'n3', 'n4'])
    expect((await memories.page({ limit: 9, workspaceRoot: '/w' })).items).toMatchObject([{ name: 'w' }])
    const bad = memories.page({ limit: 2, cursor: "' OR 1" })
    await expect(bad).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'cursor' })
  })

  test('ME-1 ME-2 the memories of a place and its proposals are bounded', async () => {
    await using fixture = await open()
    const { store } = fixture
    await fill(store, MEMORY_LIMITS.proposals, 'propose')
    expect(await store.memories.propose(memory('more'), 5_000)).toBeNull()
    expect(await store.memories.propose(memory('n1', { body: 'Again' }), 5_000)).toMatchObject({
      body: 'Again',
    })
    expect(await store.memories.propose(memory('more', { workspaceRoot: '/w' }), 5_000)).not.toBeNull()
    await fill(store, MEMORY_LIMITS.memories, 'put')
    await expect(store.memories.put(memory('more'), 6_000)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(await store.memories.put(memory('n1'), 6_000)).toMatchObject({ state: 'accepted' })
  })

  test('ME-1 whatever a memory says, it comes back as it was', async () => {
    await using fixture = await open()
    const { memories } = fixture.store
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(text, text, text, async (name, description, body) => {
        const written = await memories.put(memory(name, { description, body }), 1_000)
        expect(await memories.find(null, name)).toEqual(written)
        expect(written).toMatchObject({ name, description, body })
      }),
      { numRuns: 30 },
    )
  })
}
