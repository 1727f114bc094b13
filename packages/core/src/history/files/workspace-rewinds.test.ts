import { openHistoryLab, words } from '@palimpsest/testing/history-lab.ts'
import { createMemorySnapshots } from '@palimpsest/testing/memory-snapshots.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../tool/tool.ts'

const NUM_RUNS = process.env['TEST_PROFILE'] === 'long' ? 200 : 20

// Each run asks a provider over HTTP, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000 })

const pick = fc.nat({ max: 1_000 })
/** What is done next: a question whose reply writes a file, an edit by hand, or a rewind. */
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('ask' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('edit' as const), pick }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('rewind' as const, 'resend' as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('unrewind' as const, 'compact' as const), pick }),
  },
)
type Act = { kind: 'ask' | 'edit' | 'rewind' | 'resend' | 'unrewind' | 'compact'; pick: number }

/** Enough turns for a summary. */
const OPENING = [1, 2, 3, 5].map((choice): Act => ({ kind: 'ask', pick: choice }))

const RUN_PATHS = ['a', 'b', 'c']
const OWN_PATHS = ['mine', 'notes']

async function openRewinds() {
  const snapshots = createMemorySnapshots()
  const files = snapshots.filesOf('/workspace')
  const tool = defineTool({
    id: 'work',
    description: 'Writes a file',
    input: z.object({ choice: z.int() }),
    changesFiles: true,
    requires: () => [{ permission: 'read', pattern: 'a' }],
    execute({ choice }) {
      write(RUN_PATHS, choice)
      return Promise.resolve({ text: 'Written' })
    },
  })
  const lab = await openHistoryLab({ snapshots }, { agent: { tools: [tool] } })
  const { id: sessionId } = await lab.sessions.create({ title: 'Rewinds' })
  const { history } = lab.sessions
  let writes = 0

  function write(paths: readonly string[], choice: number) {
    const path = paths[choice % paths.length] ?? ''
    if (choice % 4 === 0) files.delete(path)
    else files.set(path, `${++writes}`)
  }

  async function target(choice: number): Promise<string | undefined> {
    const asked = (await lab.everything(sessionId)).filter(({ role }) => role === 'user')
    return asked[choice % Math.max(1, asked.length)]?.id
  }

  /** Takes a step; one that is refused, such as an un-rewind of nothing, changes nothing. */
  async function take({ kind, pick: choice }: Act): Promise<boolean> {
    const messageId = await target(choice)
    try {
      if (kind === 'edit') write(OWN_PATHS, choice)
      else if (kind === 'unrewind') await history.unrewind({ sessionId })
      else if (kind === 'compact') await history.compact(sessionId)
      else if (kind === 'rewind') await history.rewind({ sessionId, messageId: messageId ?? 'none' })
      else await run(kind, choice, messageId ?? 'none')
      return true
    } catch {
      return false
    }
  }

  async function run(kind: 'ask' | 'resend', choice: number, messageId: string): Promise<void> {
    lab.provider.otherwise(({ body }) => {
      const asked = JSON.stringify(body['messages']).split('"user"').at(-1) ?? ''
      return reply(
        asked.includes('"tool"') ? { text: 'Done.' } : { toolCalls: [{ name: 'work', input: { choice } }] },
      )
    })
    if (kind === 'ask') await lab.turn(words(200, `q${choice}`), sessionId)
    else {
      const { runId } = await lab.sessions.resend({ sessionId, messageId })
      await lab.chunksOf(sessionId, runId)
    }
  }

  const own = () => OWN_PATHS.map((path) => files.get(path))
  return { lab, history, sessionId, files, own, take, target }
}

test('RW-5 a rewind and its undo leave every file as it was, whatever came before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), pick, async (acts, choice) => {
      const rewinds = await openRewinds()
      await using _lab = rewinds.lab
      for (const next of [...OPENING, ...acts]) await rewinds.take(next)
      const before = new Map(rewinds.files)
      const result = await rewinds.take({ kind: 'rewind', pick: choice })
      const [latest] = await rewinds.history.timeline(rewinds.sessionId)
      if (!result || latest === undefined) return
      await rewinds.history.unrewind({ sessionId: rewinds.sessionId, operationId: latest.id })
      expect(new Map(rewinds.files)).toEqual(before)
    }),
    { numRuns: NUM_RUNS },
  )
})

test('RW-5 no rewind or un-rewind touches a file that no run has changed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 16 }), async (acts) => {
      const rewinds = await openRewinds()
      await using _lab = rewinds.lab
      for (const next of [...OPENING, ...acts]) {
        const before = rewinds.own()
        await rewinds.take(next)
        if (next.kind !== 'edit') expect(rewinds.own()).toEqual(before)
      }
    }),
    { numRuns: NUM_RUNS },
  )
})

test('RW-5 a rewind to the first message leads to the files as they were before the first run', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      const rewinds = await openRewinds()
      await using _lab = rewinds.lab
      rewinds.files.set('a', 'first')
      for (const next of [...OPENING, ...acts]) await rewinds.take(next)
      const [first] = await rewinds.lab.everything(rewinds.sessionId)
      if (first === undefined) return
      await rewinds.history.rewind({ sessionId: rewinds.sessionId, messageId: first.id })
      expect(RUN_PATHS.map((path) => rewinds.files.get(path))).toEqual(['first', undefined, undefined])
    }),
    { numRuns: NUM_RUNS },
  )
})
