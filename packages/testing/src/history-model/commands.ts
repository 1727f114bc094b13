import { AppError } from '@palimpsest/core/domain'
import { type Behaviour, fakeModel, MODEL_IDS } from './fake-models.ts'
import { type ModelWorld, modelSession } from './model-world.ts'
import { addMessage, leftUnanswered, pathTo, rewind, uncompact, unrewind } from './reference.ts'

/** One command; `pick` chooses among the available targets when it is executed. */
export type Command = { kind: keyof typeof KINDS; pick: number }

/** Codes with which a command may be refused; then nothing may have changed. */
const REFUSALS: ReadonlySet<string> = new Set([
  'CONFLICT',
  'COMPACTION_FAILED',
  'MODEL_TOO_SMALL',
  'INVALID_INPUT',
])

type Act = (world: ModelWorld, pick: number) => Promise<void>

/** Everything that can be done, each beside what the reference says must come of it. */
export const KINDS = {
  send: (world) => send(world, { type: 'answer', text: answer(world) }),
  tool: (world, pick) => send(world, { type: 'tool', characters: 50 + (pick % 400), text: answer(world) }),
  find: (world) => send(world, { type: 'tool', characters: 100_000, text: answer(world) }),
  fail: (world) => send(world, { type: 'fail' }),
  switch: (world, pick) =>
    send(world, { type: 'answer', text: answer(world) }, MODEL_IDS[pick % MODEL_IDS.length]),
  async abort(world) {
    const { begun, held } = hold()
    await send(world, held, undefined, async () => {
      await begun
      await world.sessions.abort(world.current.id)
    })
  },
  async edit(world, pick) {
    const target = userMessage(world, pick)
    if (target === null) return
    await send(world, { type: 'answer', text: answer(world) }, undefined, undefined, target)
  },
  async resend(world, pick) {
    const target = userMessage(world, pick)
    if (target === null) return
    const { id: sessionId, reference } = world.current
    world.models.next = { type: 'answer', text: answer(world) }
    await world.sessions.resend({ sessionId, messageId: target })
    if (reference.visible.at(-1) !== target) rewind(reference, target, name(world), { replace: false })
    await world.calm()
  },
  async rewind(world, pick) {
    const target = userMessage(world, pick)
    if (target === null) return
    const { id: sessionId, reference } = world.current
    await world.sessions.history.rewind({ sessionId, messageId: target })
    rewind(reference, target, name(world), { replace: false })
  },
  async unrewind(world) {
    const { id: sessionId, reference } = world.current
    await world.sessions.history.unrewind({ sessionId })
    if (!unrewind(reference, name(world))) throw new Error('There was nothing to undo')
  },
  async roundtrip(world, pick) {
    const before = world.current.reference.visible
    await KINDS.rewind(world, pick)
    if (world.current.reference.visible.join() === before.join()) return
    await KINDS.unrewind(world)
    if (world.current.reference.visible.join() !== before.join())
      throw new Error('An un-rewind is not the inverse of the rewind')
  },
  async branch(world, pick) {
    const { id: sessionId, reference } = world.current
    const ids = [...reference.known.keys()].filter((id) => !reference.summaries.has(id))
    const target = ids[pick % ids.length]
    if (target === undefined) return
    const { id } = await world.sessions.history.branch({ sessionId, fromMessageId: target })
    const branch = modelSession(id)
    for (const callId of world.current.whole) branch.whole.add(callId)
    const { items } = await world.sessions.messages({ sessionId: id, limit: 200 })
    const originals = pathTo(reference, target)
    if (items.length !== originals.length) throw new Error('The branch holds something else')
    for (const [index, copy] of items.entries()) {
      addMessage(branch.reference, copy.id, copy.role)
      branch.finished.set(copy.id, JSON.stringify(copy.parts))
      const original = world.current.finished.get(originals[index] ?? '')
      if (original !== undefined && original !== JSON.stringify(copy.parts))
        throw new Error('A copy is no copy')
      if (copy.metadata?.summary) branch.reference.summaries.set(copy.id, [])
      if (reference.leftOut.has(originals[index] ?? '')) branch.reference.leftOut.add(copy.id)
    }
    world.all.push(branch)
    if (pick % 2 === 0) world.current = branch
  },
  async home(world, pick) {
    world.current = world.all[pick % world.all.length] ?? world.current
  },
  async compact(world) {
    await world.sessions.history.compact(world.current.id)
    await world.calm()
  },
  async uncompact(world) {
    const { id: sessionId, reference } = world.current
    const summaryId = reference.visible.find((id) => reference.summaries.has(id))
    const copied = summaryId !== undefined && reference.summaries.get(summaryId)?.length === 0
    if (copied) return await expectRefusal(() => world.sessions.history.uncompact(sessionId), 'CONFLICT')
    await world.sessions.history.uncompact(sessionId)
    if (!uncompact(reference, name(world))) throw new Error('There was no summary')
  },
  async prune(world) {
    const before = await prunedParts(world)
    const { parts } = await world.sessions.history.prune(world.current.id)
    if ((await prunedParts(world)) !== before + parts) throw new Error('Something else was pruned')
  },
  async unprune(world) {
    await world.sessions.history.unprune(world.current.id)
    if ((await prunedParts(world)) !== 0) throw new Error('Something is still pruned')
  },
  async uncondense(world, pick) {
    await see(world, pick, 'uncondense')
  },
  async recondense(world, pick) {
    await see(world, pick, 'recondense')
  },
  async leaveout(world, pick) {
    await leaveOut(world, pick, true)
  },
  async bringback(world, pick) {
    await leaveOut(world, pick, false)
  },
  async queue(world, pick) {
    const { begun, held, release } = hold()
    await send(world, held, undefined, async () => {
      await begun
      await editQueue(world, pick)
      world.models.next = { type: 'answer', text: answer(world) }
      release()
    })
  },
  async busy(world, pick) {
    const { begun, held, release } = hold()
    await send(world, held, undefined, async () => {
      await begun
      await expectBusy(world, pick)
      release()
    })
  },
  async together(world, pick) {
    const target = userMessage(world, pick)
    const { id: sessionId, reference } = world.current
    if (target === null) return
    const first = world.sessions.history.rewind({ sessionId, messageId: target })
    await expectRefusal(() => world.sessions.history.rewind({ sessionId, messageId: target }), 'SESSION_BUSY')
    await first
    rewind(reference, target, name(world), { replace: false })
  },
} satisfies Record<string, Act>

/** Carries a command out; true when it was refused as it may be. */
export async function carryOut(world: ModelWorld, { kind, pick }: Command): Promise<boolean> {
  world.count += 1
  try {
    await KINDS[kind](world, pick)
    world.learn()
    return false
  } catch (error) {
    if (!(error instanceof AppError) || !REFUSALS.has(error.code)) throw error
    await world.calm()
    return true
  }
}

async function send(
  world: ModelWorld,
  next: Behaviour,
  modelId?: string,
  during?: () => Promise<void>,
  replaceMessageId?: string,
): Promise<void> {
  const { id: sessionId, reference } = world.current
  world.models.next = next
  const text = `Message ${world.count} ${'and so on '.repeat(world.count % 7)}`
  const sent = await world.sessions.send({
    sessionId,
    message: { parts: [{ type: 'text', text }] },
    ...(modelId !== undefined && { model: fakeModel(modelId) }),
    ...(replaceMessageId !== undefined && { replaceMessageId }),
  })
  if (sent.queued) throw new Error('Nothing was running')
  const replaced = replaceMessageId ?? leftUnanswered(reference)
  if (replaced !== null) rewind(reference, replaced, name(world), { replace: true })
  await during?.()
  await world.calm()
}

async function editQueue(world: ModelWorld, pick: number): Promise<void> {
  const { queue, send: sendTo } = world.sessions
  const sessionId = world.current.id
  const ids: string[] = []
  for (let index = 0; index <= pick % 3; index++) {
    const message = { parts: [{ type: 'text' as const, text: `Queued ${world.count} ${index}` }] }
    ids.push((await sendTo({ sessionId, message })).messageId)
  }
  const [first = '', ...rest] = ids
  if (pick % 2 === 0) await queue.reorder(sessionId, [...rest, first])
  if (pick % 3 === 0) await queue.cancel(sessionId, first)
  const parts = [{ type: 'text' as const, text: `Edited ${world.count}` }]
  const [last] = rest
  if (last !== undefined) await queue.edit({ sessionId, messageId: last, parts })
}

async function expectBusy(world: ModelWorld, pick: number): Promise<void> {
  const { history, resend } = world.sessions
  const { id: sessionId, reference } = world.current
  const ids = [...reference.known.keys()]
  const messageId = userMessage(world, pick) ?? ids[0] ?? ''
  if (messageId === '') return
  const before = JSON.stringify(await history.timeline(sessionId))
  const acts = [
    () => history.rewind({ sessionId, messageId }),
    () => history.unrewind({ sessionId }),
    () => history.branch({ sessionId, fromMessageId: messageId }),
    () => history.compact(sessionId),
    () => history.uncompact(sessionId),
    () => history.prune(sessionId),
    () => history.unprune(sessionId),
    () => history.uncondense({ sessionId, messageId, toolCallId: 'call_1' }),
    () => history.recondense({ sessionId, messageId, toolCallId: 'call_1' }),
    () => history.leaveOut({ sessionId, messageId }),
    () => history.bringBack({ sessionId, messageId }),
    // Nothing answers a message that the model does not see, whether a run is on or not.
    ...(reference.leftOut.has(messageId) ? [] : [() => resend({ sessionId, messageId })]),
  ]
  for (const act of acts) await expectRefusal(act, 'SESSION_BUSY')
  if (JSON.stringify(await history.timeline(sessionId)) !== before) throw new Error('Something has changed')
}

async function expectRefusal(act: () => Promise<unknown>, code: string): Promise<void> {
  const outcome = await act().then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )
  if (outcome !== code) throw new Error(`Expected ${code}, but it was ${String(outcome)}`)
}

function hold() {
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const held: Behaviour = { type: 'hold', until: gate.promise, begun: begun.resolve }
  return { begun: begun.promise, held, release: gate.resolve }
}

function userMessage({ current: { reference } }: ModelWorld, pick: number): string | null {
  const users = [...reference.known.values()].filter(({ role }) => role === 'user')
  return users[pick % users.length]?.id ?? null
}

async function prunedParts({ sessions, current }: ModelWorld): Promise<number> {
  const { items } = await sessions.messages({ sessionId: current.id, limit: 200 })
  return items.reduce((sum, { metadata }) => sum + (metadata?.prunedParts?.length ?? 0), 0)
}

/** Changes what is seen of one of the outputs that were condensed, hidden ones too; a second time nothing is left to do. */
async function see(world: ModelWorld, pick: number, kind: 'uncondense' | 'recondense'): Promise<void> {
  const { id: sessionId, whole } = world.current
  const { items } = await world.sessions.messages({ sessionId, limit: 200, hidden: true })
  const calls = items.flatMap(({ id: messageId, metadata }) =>
    Object.keys(metadata?.condensed ?? {}).map((toolCallId) => ({ sessionId, messageId, toolCallId })),
  )
  const call = calls[pick % calls.length]
  if (call === undefined) return
  const differs = whole.has(call.toolCallId) === (kind === 'recondense')
  const { operationId } = await world.sessions.history[kind](call)
  if ((operationId !== null) !== differs) throw new Error('It was not as it should have been')
  if (kind === 'uncondense') whole.add(call.toolCallId)
  else whole.delete(call.toolCallId)
  const again = await world.sessions.history[kind](call)
  if (again.operationId !== null) throw new Error('It was done twice')
}

/** Leaves any message out of what the model sees, or brings one back; hidden ones and summaries are refused. */
async function leaveOut(world: ModelWorld, pick: number, left: boolean): Promise<void> {
  const { id: sessionId, reference } = world.current
  const ids = left ? [...reference.known.keys()] : [...reference.leftOut]
  const messageId = ids[pick % ids.length]
  if (messageId === undefined) return
  const { history } = world.sessions
  const change = () => (left ? history.leaveOut : history.bringBack)({ sessionId, messageId })
  const isSeen = reference.visible.includes(messageId) && !reference.summaries.has(messageId)
  if (!isSeen) return await expectRefusal(change, 'INVALID_INPUT')
  const { operationId } = await change()
  if ((operationId !== null) !== (reference.leftOut.has(messageId) !== left))
    throw new Error('It was not as it should have been')
  if (left) reference.leftOut.add(messageId)
  else reference.leftOut.delete(messageId)
}

function answer(world: ModelWorld): string {
  return `Answer ${world.count} ${'with many words '.repeat(world.count % 5)}`.trim()
}

function name(world: ModelWorld): string {
  return `step ${world.count} ${world.current.reference.rewinds.length}`
}
