import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { createMemorySnapshots } from '@palimpsest/testing/memory-snapshots.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { FileFate } from '../../domain/workspace/file-journal.ts'
import { defineTool } from '../../tool/tool.ts'
import { allRows } from './journal-rows.ts'

const NUM_RUNS = process.env['TEST_PROFILE'] === 'long' ? 2_000 : 100

// Each run asks a provider over HTTP, and the machine may be busy.
vi.setConfig({ testTimeout: 0 })

const ROOT = '/workspace'
const PATHS = ['a', 'b', 'c']
const KINDS = [
  'command',
  'write',
  'save',
  'rewind',
  'unrewind',
  'resend',
  'restoreTo',
  'revert',
  'resolve',
] as const
const pick = fc.nat({ max: 1_000 })
/** Something that is done in one of two chats of a folder; `saves` are made by hand in its middle; `fails`: its moves stop, as in a kill. */
const act = fc.record({
  kind: fc.constantFrom(...KINDS),
  chat: fc.nat({ max: 1 }),
  pick,
  choice: fc.constantFrom('keep' as const, 'restore' as const, 'both' as const, undefined),
  saves: fc.array(fc.record({ at: fc.nat({ max: 6 }), path: fc.constantFrom(...PATHS) }), { maxLength: 2 }),
  fails: fc.option(fc.nat({ max: 2 }), { freq: 6 }),
})
type Act = Parameters<Parameters<typeof act.map>[0]>[0]

const CALL = { chat: 0, choice: undefined, saves: [], fails: null }
/** Changes that later acts can go back to, in both chats. */
const OPENING: readonly Act[] = [
  { ...CALL, kind: 'command', pick: 1 },
  { ...CALL, kind: 'write', pick: 1 },
  { ...CALL, kind: 'command', pick: 2, chat: 1 },
]

type Core = Awaited<ReturnType<typeof openCoreLab>>

/** Two chats in a folder whose tools change files, and a person who saves at any moment of it. */
async function openWorld() {
  const snapshots = createMemorySnapshots()
  const files = snapshots.filesOf(ROOT)
  const tables = createMemoryTables()
  let made = 0
  let steps = 0
  let left: Act['saves'] = []
  let failsAt: number | null = null
  /** What a save replaced by hand; nobody but the person has removed it. */
  const replaced = new Set<string>()

  function save(path: string) {
    const before = files.get(path)
    if (before !== undefined) replaced.add(`${path}:${before}`)
    files.set(path, `by hand ${++made}`)
  }
  /** Saves what is to be saved at this step. */
  function step() {
    const now = left.filter(({ at }) => at === steps)
    steps += 1
    for (const { path } of now) save(path)
  }
  const { look, move } = snapshots
  Object.assign(snapshots, {
    look: async (...args: Parameters<typeof look>) => {
      step()
      const found = await look(...args)
      step()
      return found
    },
    move: async (...args: Parameters<typeof move>) => {
      step()
      if (failsAt !== null && failsAt-- <= 0) throw new Error('The host ends here')
      return await move(...args)
    },
  })
  const workspaceFiles = createMemoryFiles()
  const text = new TextDecoder()
  const command = defineTool({
    id: 'command',
    description: 'Changes files',
    input: z.object({ choice: z.int() }),
    changesFiles: true,
    requires: () => [{ permission: 'read', pattern: 'a' }],
    async execute({ choice }) {
      const path = PATHS[choice % PATHS.length] ?? ''
      if (choice % 4 === 0) files.delete(path)
      else files.set(path, `command ${++made}`)
      return { text: 'Done' }
    },
  })
  const write = defineTool({
    id: 'put',
    description: 'Writes a file',
    input: z.object({ choice: z.int() }),
    requires: () => [{ permission: 'read', pattern: 'a' }],
    async execute({ choice }, runtime) {
      const path = PATHS[choice % PATHS.length] ?? ''
      await runtime.files.write(ROOT, path, new TextEncoder().encode(`write ${++made}`), null)
      return { text: 'Done' }
    },
  })
  workspaceFiles.write = async (_root, path, bytes) => void files.set(path, text.decode(bytes))
  let asked: { name: string; choice: number } = { name: 'command', choice: 0 }
  async function start(): Promise<Core> {
    const lab = await openCoreLab(
      { snapshots, files: workspaceFiles, store: createMemoryStore(tables) },
      { agent: { tools: [command, write] } },
    )
    lab.provider.otherwise(({ body }) => {
      const said = JSON.stringify(body['messages']).split('"user"').at(-1) ?? ''
      return reply(
        said.includes('"tool"')
          ? { text: 'Done.' }
          : { toolCalls: [{ name: asked.name, input: { choice: asked.choice } }] },
      )
    })
    await lab.core.recover()
    return lab
  }
  let lab = await start()
  const chats = [
    await lab.sessions.create({ title: 'One' }),
    await lab.sessions.create({ title: 'Two' }),
  ].map(({ id }) => id)

  async function userMessages(sessionId: string) {
    const { items } = await lab.sessions.messages({ sessionId, limit: 200, hidden: true })
    return items.filter(({ role }) => role === 'user').map(({ id }) => id)
  }

  /** One of these, by the number that was picked. */
  function pickOf<T>(all: readonly T[], chosen: number): T | undefined {
    return all[chosen % Math.max(1, all.length)]
  }

  async function call(name: string, { chat, pick: choice }: Act) {
    asked = { name, choice }
    return await lab.turn(`Go ${made}`, chats[chat])
  }

  const perform: Record<Act['kind'], (one: Act, sessionId: string, about: object) => Promise<unknown>> = {
    command: (one) => call('command', one),
    write: (one) => call('put', one),
    save: (one) => Promise.resolve(save(pickOf(PATHS, one.pick) ?? '')),
    async rewind(one, sessionId, about) {
      const messageId = pickOf(await userMessages(sessionId), one.pick) ?? 'none'
      return await lab.sessions.history.rewind({ sessionId, messageId, ...about })
    },
    unrewind: (_one, sessionId, about) => lab.sessions.history.unrewind({ sessionId, ...about }),
    async resend(one, sessionId, about) {
      const messageId = pickOf(await userMessages(sessionId), one.pick) ?? 'none'
      asked = { name: 'command', choice: one.pick }
      const { runId } = await lab.sessions.resend({ sessionId, messageId, ...about })
      return await lab.chunksOf(sessionId, runId)
    },
    async restoreTo(one, sessionId, about) {
      const { history } = lab.sessions
      const pointId = pickOf(await history.restorePoints({ sessionId }), one.pick)?.pointId ?? 'none'
      return await history.restoreTo({ sessionId, pointId, ...about })
    },
    async revert(one, sessionId, about) {
      const { changes } = lab.sessions
      const path = pickOf((await changes.list({ sessionId })).files, one.pick)?.path ?? 'none'
      return await changes.revert({ sessionId, paths: [path], ...about })
    },
    async resolve(one, sessionId) {
      const { changes } = lab.sessions
      const open = pickOf((await changes.list({ sessionId })).conflicts, one.pick)
      const decided = [{ path: open?.path ?? 'none', choice: one.choice ?? 'restore' }]
      return await changes.resolve({ sessionId, operationId: open?.operationId ?? 'none', files: decided })
    },
  }

  /** Every version of a path that a row of any chat names. */
  async function named(): Promise<Set<string>> {
    const found = new Set<string>()
    const rows = await Promise.all(chats.map((sessionId) => allRows(lab.ports.store, sessionId)))
    const versions = rows
      .flat()
      .flatMap(({ path, before, after }) => [before, after].map((state) => ({ path, state })))
    for (const { path, state } of versions) {
      const bytes = state === null ? null : await snapshots.read(ROOT, state.id)
      if (bytes !== null) found.add(`${path}:${text.decode(bytes)}`)
    }
    return found
  }

  return {
    files,
    replaced,
    named,
    get lab() {
      return lab
    },
    chats,
    async take(next: Act): Promise<unknown> {
      steps = 0
      left = next.saves
      failsAt = next.fails
      const { kind, chat, choice } = next
      const about = choice === undefined ? {} : { files: PATHS.map((path) => ({ path, choice })) }
      const result = await perform[kind](next, chats[chat] ?? '', about).catch(() => null)
      left = []
      if (failsAt !== null) {
        failsAt = null
        const before = lab
        lab = await start()
        await before.provider[Symbol.asyncDispose]()
      }
      return result
    },
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]()
    },
  }
}

const versionsOf = (files: ReadonlyMap<string, string>) =>
  new Set([...files].map(([path, text]) => `${path}:${text}`))

test('RW-12 in any order of calls, saves at any moment, operations and ends of the host, each version is on the disk, in the journal, or was replaced by hand', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 10 }), async (acts) => {
      await using world = await openWorld()
      for (const next of [...OPENING, ...acts]) {
        const before = versionsOf(world.files)
        await world.take(next)
        const reachable = (await world.named()).union(versionsOf(world.files)).union(world.replaced)
        expect([...before.difference(reachable)]).toEqual([])
      }
    }),
    { numRuns: NUM_RUNS },
  )
})

test('RW-10 what is shown before a rewind is what it does, to each file by name', async () => {
  const undisturbed = act.map((one) => ({ ...one, saves: [], fails: null }))
  await fc.assert(
    fc.asyncProperty(fc.array(undisturbed, { minLength: 3, maxLength: 7 }), pick, async (acts, chosen) => {
      await using world = await openWorld()
      for (const next of [...OPENING, ...acts]) await world.take(next)
      const sessionId = world.chats[0] ?? ''
      const { items } = await world.lab.sessions.messages({ sessionId, limit: 200, hidden: true })
      const ids = items.filter(({ role }) => role === 'user').map(({ id }) => id)
      const messageId = ids[chosen % Math.max(1, ids.length)]
      if (messageId === undefined) return
      const { history } = world.lab.sessions
      const shown = await history.rewind({ sessionId, messageId, preview: true })
      const before = new Map(world.files)
      const done = await history.rewind({ sessionId, messageId })
      expect(done.files).toEqual(shown.files)
      const changed = PATHS.filter((path) => before.get(path) !== world.files.get(path))
      const restored = (done.files?.fates ?? []).filter(({ fate }: FileFate) => fate === 'restored')
      expect(restored.map(({ path }) => path).toSorted()).toEqual(changed)
      await history.unrewind({ sessionId, operationId: done.operationId })
      expect(new Map(world.files)).toEqual(before)
    }),
    { numRuns: Math.ceil(NUM_RUNS / 4) },
  )
})
