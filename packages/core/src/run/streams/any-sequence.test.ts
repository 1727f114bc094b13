import type { CoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { openProviderModel } from '@palimpsest/testing/provider-streams.ts'
import { refuseRequest } from '@palimpsest/testing/refusals/refuse-request.ts'
import type { ScriptedReply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { openFormatLab } from '@palimpsest/testing/stream-lab.ts'
import { type AnswerScript, writtenAnswer } from '@palimpsest/testing/written-answers.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatChunk } from '../../domain/message/message.ts'
import type { ModelRef } from '../../domain/model/model.ts'
import { initialReduction, reduceChunk } from '../../domain/stream/message-reducer.ts'
import type { Store } from '../../ports/index.ts'

const RUNS = process.env['TEST_PROFILE'] === 'long' ? 200 : 15

/** Models by the format that they speak, named `<format>/<model>`. */
const MODELS = [
  'anthropic-messages/claude-own',
  'openai-responses/gpt-own',
  'openai-chat/gpt-own',
  'openai-compatible-chat/own',
  'openai-compatible-chat/devstral-own',
  'google-messages/gemini-own',
]
const folderOf = (modelId: string) => modelId.split('/')[0] ?? ''

const blank = fc.constantFrom('', ' ', '\n\n', '\t')
const call = fc.record({
  id: fc.constantFrom('call_0', 'functions.todo:0', 'x'.repeat(85), 'toolu_01A', 'aB3dE6gH9', 'a b', ''),
  name: fc.constantFrom('look', 'default_api.todo', '2do', 'a b', 'x'.repeat(200)),
  input: fc.constantFrom<unknown>({}, { at: 1 }, 'free text', [1], null),
})
const answer: fc.Arbitrary<AnswerScript> = fc.record(
  {
    thought: fc.constantFrom('Hm', ' '),
    text: fc.oneof(blank, fc.constantFrom('So.', 'Well, \n')),
    call,
    hosted: fc.boolean(),
  },
  { requiredKeys: [] },
)
type Ending = 'whole' | 'cut' | 'error' | 'abort' | 'kill'
const turn = fc.record({
  modelId: fc.constantFrom(...MODELS),
  answer,
  ending: fc.constantFrom<Ending>('whole', 'cut', 'error', 'abort', 'kill'),
  /** The part of the answer that comes before a cut. */
  share: fc.double({ min: 0, max: 1, noNaN: true }),
})
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never

async function openLab(store: Store): Promise<CoreLab> {
  const lab = await openFormatLab('openai-chat', {}, 'own', { store })
  const { models } = lab.ports
  const open = models.open
  models.open = async (ref) => {
    const [folder = '', modelId = ''] = ref.modelId.split('/')
    const opened = await open({ ...ref, modelId: 'm1' })
    const model = openProviderModel(lab.provider, folder, modelId)
    return { ...opened, model, providerOptions: { openai: { store: false } } }
  }
  return lab
}

async function send(lab: CoreLab, sessionId: string, modelId: string, text = 'Go') {
  const message = { parts: [{ type: 'text' as const, text }] }
  const model = { providerId: 'lab', modelId }
  const { runId } = await lab.sessions.send({ sessionId, message, model })
  return runId ?? ''
}

/** Plays one turn, however it ends. */
async function play(lab: CoreLab, dead: Store, sessionId: string, { modelId, answer, ending, share }: Turn) {
  const reply = writtenAnswer(folderOf(modelId), answer)
  if (ending === 'kill') return await dieIn(lab, dead, sessionId, modelId, reply, share)
  const steps = [...reply.steps]
  const begun = steps.slice(0, Math.floor(share * steps.length))
  const scripts: Record<Exclude<Ending, 'kill'>, ScriptedReply> = {
    whole: reply,
    cut: { ...reply, steps: [...begun, { cut: true }] },
    abort: { ...reply, steps: [...begun, { stall: true }] },
    error: { status: 400, headers: {}, steps: [{ send: '{}' }] },
  }
  lab.provider.script(scripts[ending])
  const requests = lab.provider.requests.length
  const runId = await send(lab, sessionId, modelId)
  if (ending === 'abort') {
    await lab.provider.received(requests)
    await lab.sessions.abort(sessionId)
  }
  await lab.chunksOf(sessionId, runId)
}

let deaths = 0

/** Leaves in the store what a host that crashes in the middle of this answer would leave, and starts the next one. */
async function dieIn(
  lab: CoreLab,
  { runs }: Store,
  sessionId: string,
  modelId: string,
  reply: ScriptedReply,
  share: number,
) {
  const { id: scratch } = await lab.sessions.create({ title: 'Scratch' })
  lab.provider.script(reply)
  const chunks: ChatChunk[] = await lab.chunksOf(scratch, await send(lab, scratch, modelId))
  const seen = chunks.slice(0, Math.floor(share * chunks.length))
  const { message } = seen.reduce(reduceChunk, initialReduction('msg_unused'))
  deaths += 1
  const runId = `run_${deaths}`
  const model: ModelRef = { providerId: 'lab', modelId }
  const metadata = { schemaVersion: 1 as const, createdAt: deaths, runId, model }
  const question = { type: 'text' as const, text: 'Go' }
  const asked = { id: `msg_user_${deaths}`, sessionId, role: 'user' as const, metadata, parts: [question] }
  await runs.begin(
    { runId, sessionId, startedAt: deaths, epoch: 1 },
    { type: 'message', message: asked, change: null },
  )
  const parts = message.parts.map((data, index) => ({ id: `prt_${deaths}_${index}`, index, data }))
  const write = {
    log: { runId, epoch: 1, chunks: [], open: { text: {}, reasoning: {} } },
    sessionId,
    messageId: `msg_reply_${deaths}`,
    metadata,
    parts,
    createdAt: deaths,
    at: deaths,
  }
  if (parts.length > 0) await runs.record(write)
  await lab.core.recover()
}

test('RL-8 after any sequence of models, blank and odd answers, cuts, aborts and deaths the next message is answered', {
  timeout: 900_000,
}, async () => {
  const sequences = fc.array(fc.tuple(turn, fc.constantFrom(...MODELS)), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(sequences, async (turns) => {
      const tables = createMemoryTables()
      const dead = await createMemoryStore(tables)
      await using lab = await openLab(await createMemoryStore(tables))
      const { id } = await lab.sessions.create({ title: 'Any' })
      for (const [played, next] of turns) {
        await play(lab, dead, id, played)
        lab.provider.script(writtenAnswer(folderOf(next), { text: 'Yes.' }))
        await lab.chunksOf(id, await send(lab, id, next, 'And then?'))
        const { items } = await lab.sessions.messages({ sessionId: id })
        expect(items.at(-1)?.metadata?.error).toBeUndefined()
        expect(items.at(-1)?.parts).toContainEqual(expect.objectContaining({ type: 'text', text: 'Yes.' }))
      }
      expect(lab.provider.requests.map(refuseRequest).filter((refused) => refused !== null)).toEqual([])
    }),
    { numRuns: RUNS },
  )
})
