import { RESTORE_REASONS, type RestorePoint } from '@palimpsest/core'
import { AppError, type ChatMessage } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildModelView } from '../../../core/src/context/model-view.ts'
import { measureAgain } from '../history-lab.ts'
import { type ModelWorld, openModelWorld } from './model-world.ts'

const LONG = process.env['TEST_PROFILE'] === 'long'
const SEQUENCES = LONG ? 5_000 : 250
/** Sequences with outputs that are condensed. */
const CONDENSED = LONG ? 1_000 : 40

/** A state as it was read when the session was in it. */
type Recorded = { messages: ChatMessage[]; view: unknown; used: number; estimated: boolean }

/** A session that is changed at random, with each state that it has been in by the point that leads to it. */
type Trial = { world: ModelWorld; sessionId: string; states: Map<string, Recorded>; sent: number }

/** What may be refused where there is nothing to do. */
const REFUSALS: ReadonlySet<string> = new Set([
  'CONFLICT',
  'COMPACTION_FAILED',
  'INVALID_INPUT',
  'MESSAGE_NOT_FOUND',
])

async function read({ world, sessionId }: Pick<Trial, 'world' | 'sessionId'>): Promise<Recorded> {
  const { items } = await world.sessions.messages({ sessionId, limit: 200 })
  const { contextWindow } = await world.sessions.get(sessionId)
  const stored = await world.ports.store.messages.visible(sessionId)
  const building = buildModelView()
  for (const message of stored) building.add(message)
  const view = building.view().messages.map(({ role, parts }) => ({ role, parts }))
  return { messages: items, view, used: contextWindow.used, estimated: contextWindow.estimated }
}

/** `found` is the length of what a tool puts out for the reply; 0 for no call of it. */
async function say(trial: Trial, found: number, replaceMessageId?: string): Promise<void> {
  const { world, sessionId } = trial
  trial.sent += 1
  const text = `Reply ${trial.sent} ${'and more '.repeat(trial.sent % 5)}`
  world.models.next = found > 0 ? { type: 'tool', characters: found, text } : { type: 'answer', text }
  const message = { parts: [{ type: 'text' as const, text: `Question ${trial.sent}` }] }
  await world.sessions.send({
    sessionId,
    message,
    ...(replaceMessageId !== undefined && { replaceMessageId }),
  })
  await settled(trial)
}

async function settled({ world, sessionId }: Trial): Promise<void> {
  while ((await world.sessions.status(sessionId)).state === 'busy')
    await new Promise((resolve) => setImmediate(resolve))
  // Outputs are condensed after the run.
  await world.calm()
}

/** Makes the model see an output whole, or by its condensed form again. */
async function see(
  { world, sessionId }: Trial,
  pick: number,
  as: 'uncondense' | 'recondense',
): Promise<unknown> {
  const messages = await world.ports.store.messages.visible(sessionId)
  const calls = messages.flatMap(({ id: messageId, metadata }) =>
    Object.keys(metadata.condensed ?? {}).map((toolCallId) => ({ sessionId, messageId, toolCallId })),
  )
  const call = calls[pick % calls.length]
  return call === undefined ? null : await world.sessions.history[as](call)
}

async function anyQuestion({ world, sessionId }: Trial, pick: number): Promise<string> {
  const { items } = await world.sessions.messages({ sessionId, limit: 200, hidden: true })
  const questions = items.filter(({ role }) => role === 'user')
  return questions[pick % questions.length]?.id ?? ''
}

async function anyPoint({ world, sessionId }: Trial, pick: number): Promise<RestorePoint | undefined> {
  const points = await world.sessions.history.restorePoints({ sessionId })
  return points[pick % points.length]
}

const ACTS = {
  ask: (trial) => say(trial, 0),
  find: (trial) => say(trial, 500),
  findMuch: (trial) => say(trial, 100_000),
  edit: async (trial, pick) => say(trial, 0, await anyQuestion(trial, pick)),
  async regenerate(trial, pick) {
    const { world, sessionId } = trial
    world.models.next = { type: 'answer', text: `Another reply ${pick}` }
    await world.sessions.resend({ sessionId, messageId: await anyQuestion(trial, pick) })
    await settled(trial)
  },
  async rewind(trial, pick) {
    const { world, sessionId } = trial
    await world.sessions.history.rewind({ sessionId, messageId: await anyQuestion(trial, pick) })
  },
  unrewind: ({ world, sessionId }) => world.sessions.history.unrewind({ sessionId }),
  async restore(trial, pick) {
    const { world, sessionId, states } = trial
    const point = await anyPoint(trial, pick)
    if (point === undefined) return
    await world.sessions.history.restoreTo({ sessionId, pointId: point.pointId })
    const recorded = states.get(point.pointId)
    if (recorded !== undefined) expect(await read(trial), point.label).toEqual(recorded)
  },
  async version(trial, pick) {
    const { world, sessionId, states } = trial
    const { history } = world.sessions
    const others = (await history.threadVersions(sessionId)).flatMap(({ versions }) =>
      versions.filter(({ operationId }) => operationId !== null),
    )
    const { messageId = '', operationId } = others[pick % others.length] ?? {}
    if (!operationId) return
    await history.switchVersion({ sessionId, messageId, operationId })
    const recorded = states.get(operationId)
    if (recorded !== undefined) expect(await read(trial)).toEqual(recorded)
  },
  async branch(trial, pick) {
    const { world, sessionId } = trial
    await world.sessions.history.branch({ sessionId, fromMessageId: await anyQuestion(trial, pick) })
  },
  summarise: ({ world, sessionId }) => world.sessions.history.compact(sessionId),
  unsummarise: ({ world, sessionId }) => world.sessions.history.uncompact(sessionId),
  prune: ({ world, sessionId }) => world.sessions.history.prune(sessionId),
  unprune: ({ world, sessionId }) => world.sessions.history.unprune(sessionId),
  async leaveOut(trial, pick) {
    const { world, sessionId } = trial
    const messages = await world.ports.store.messages.visible(sessionId)
    const messageId = messages[pick % messages.length]?.id ?? ''
    await world.sessions.history.leaveOut({ sessionId, messageId })
  },
  async bringBack(trial, pick) {
    const { world, sessionId } = trial
    const messages = await world.ports.store.messages.visible(sessionId)
    const left = messages.filter(({ metadata }) => metadata.leftOut !== undefined)
    const messageId = left[pick % left.length]?.id ?? ''
    await world.sessions.history.bringBack({ sessionId, messageId })
  },
  uncondense: (trial, pick) => see(trial, pick, 'uncondense'),
  recondense: (trial, pick) => see(trial, pick, 'recondense'),
} satisfies Record<string, (trial: Trial, pick: number) => Promise<unknown>>

type Act = [name: keyof typeof ACTS, pick: number]

const WEIGHTED: Act[0][] = [
  'ask',
  'ask',
  'find',
  'edit',
  'regenerate',
  'rewind',
  'rewind',
  'unrewind',
  'restore',
  'restore',
  'version',
  'branch',
  'summarise',
  'unsummarise',
  'prune',
  'prune',
  'unprune',
  'leaveOut',
  'bringBack',
]

/** Does it, and notes the state before it under the point that it has made. */
async function act(trial: Trial, [name, pick]: Act): Promise<void> {
  const { world, sessionId, states } = trial
  const { history } = world.sessions
  const before = await read(trial)
  const known = new Set((await history.restorePoints({ sessionId })).map(({ pointId }) => pointId))
  try {
    await ACTS[name](trial, pick)
  } catch (error) {
    if (!(error instanceof AppError) || !REFUSALS.has(error.code)) throw error
  }
  const points = await history.restorePoints({ sessionId })
  const made = points.findLast(({ pointId }) => !known.has(pointId))
  if (made === undefined) return
  states.set(made.pointId, before)
  const said = before.messages.filter(({ metadata }) => !metadata?.summary)
  expect([made.messages, made.tokens], made.label).toEqual([said.length, before.used])
}

/** What the tray, the timeline, the versions and the meter are drawn from is of one state. */
async function checkAgreement(trial: Trial): Promise<void> {
  const { world, sessionId } = trial
  const { history } = world.sessions
  const [now, view, timeline, every] = await Promise.all([
    read(trial),
    world.sessions.get(sessionId),
    history.timeline(sessionId),
    world.sessions.messages({ sessionId, limit: 200, hidden: true }),
  ])
  const again = await measureAgain(world, sessionId)
  expect([now.used, now.estimated]).toEqual([again.contextTokens, again.contextEstimated])
  const undoable = timeline.some(({ kind, canUndo }) => canUndo && kind.endsWith('rewind'))
  expect(undoable).toBe(view.canUnrewind)
  // Every hidden message was hidden by an operation of the timeline, which counts it; a summary is not counted.
  const hidden = every.items.filter(({ metadata }) => metadata?.hiddenBy !== undefined)
  for (const [by, messages] of Map.groupBy(hidden, ({ metadata }) => metadata?.hiddenBy)) {
    const said = messages.filter(({ metadata }) => !metadata?.summary)
    expect(timeline.find(({ id }) => id === by)?.hiddenCount).toBeGreaterThanOrEqual(said.length)
  }
  expect(every.items.length - now.messages.length).toBe(hidden.length)
  for (const { id, kind, restoresCount } of timeline) {
    if (kind === 'switch') continue
    const { restored } = await history.restoreTo({ sessionId, pointId: id, preview: true })
    expect(restored, kind).toBe(restoresCount)
  }
  const visible = new Set(now.messages.map(({ id }) => id))
  for (const { messageId, versions, current } of await history.threadVersions(sessionId)) {
    expect(visible.has(messageId)).toBe(true)
    expect(versions[current]?.messageId).toBe(messageId)
  }
}

/** As a preview lists messages. */
function summaryFirst(messages: readonly ChatMessage[]): ChatMessage[] {
  return [
    ...messages.filter(({ metadata }) => metadata?.summary),
    ...messages.filter(({ metadata }) => !metadata?.summary),
  ]
}

/** Each recorded state is what its point shows, and what a return to it gives; the state left is a point in turn. */
async function checkPoints(trial: Trial): Promise<void> {
  const { world, sessionId, states } = trial
  const { history } = world.sessions
  const before = await read(trial)
  for (const [pointId, recorded] of states) {
    const page = await history.preview({ sessionId, pointId, limit: 200 })
    expect(page.messages).toBe(recorded.messages.filter(({ metadata }) => !metadata?.summary).length)
    expect(page.items).toEqual(summaryFirst(recorded.messages))
    expect([page.contextWindow?.used, page.contextWindow?.estimated]).toEqual([
      recorded.used,
      recorded.estimated,
    ])
  }
  expect(await read(trial)).toEqual(before)
  for (const [pointId, recorded] of [...states].slice(-3)) {
    const { operationId } = await history.restoreTo({ sessionId, pointId })
    expect(await read(trial)).toEqual(recorded)
    await history.restoreTo({ sessionId, pointId: operationId })
    expect(await read(trial)).toEqual(before)
  }
}

/** Changes a session by the script and checks each point. */
async function tryScript(world: ModelWorld, found: number, script: readonly Act[]): Promise<Trial> {
  const { id: sessionId } = await world.sessions.create({
    title: 'Trial',
    model: { providerId: 'fake', modelId: 'roomy' },
  })
  const trial: Trial = { world, sessionId, states: new Map(), sent: 0 }
  await act(trial, ['ask', 0])
  for (let count = 0; count < found; count += 1) await act(trial, ['findMuch', 0])
  for (const one of script) {
    await act(trial, one)
    await checkAgreement(trial)
  }
  await checkPoints(trial)
  return trial
}

function scripts(names: Act[0][]): fc.Arbitrary<Act[]> {
  const pick = fc.nat({ max: 1_000 })
  return fc.array(fc.tuple(fc.constantFrom(...names), pick), { minLength: 4, maxLength: 14 })
}

test('UI-29 RW-8 after any changes of the history every point shows and restores exactly the state that was read at it', async () => {
  const reasons = new Set<string>()
  let pruned = 0
  // What can be pruned takes several long finds.
  const finds = fc.oneof({ arbitrary: fc.constant(0), weight: 11 }, { arbitrary: fc.constant(6), weight: 1 })
  const property = fc.asyncProperty(scripts(WEIGHTED), finds, async (script, found) => {
    await using world = await openModelWorld()
    const trial = await tryScript(world, found, script)
    const { sessionId } = trial
    for (const { reason } of await world.sessions.history.restorePoints({ sessionId })) reasons.add(reason)
    if (trial.states.values().some(({ messages }) => messages.some(({ metadata }) => metadata?.prunedParts)))
      pruned += 1
  })
  await fc.assert(property, { numRuns: SEQUENCES })
  expect([...reasons].sort()).toEqual(
    RESTORE_REASONS.filter((reason) => !reason.startsWith('result-')).toSorted(),
  )
  expect(pruned).toBeGreaterThan(SEQUENCES / 50)
}, 3_600_000)

/** Outputs that are condensed, crossed with everything else that changes what the model sees. */
const CONDENSING: Act[0][] = [
  ...[
    'find',
    'find',
    'find',
    'uncondense',
    'uncondense',
    'uncondense',
    'recondense',
    'recondense',
    'restore',
    'restore',
  ],
  ...WEIGHTED,
] as Act[0][]

test('UI-29 RW-8 PR-4 the same holds where outputs are condensed and seen whole', async () => {
  const reasons = new Set<string>()
  const property = fc.asyncProperty(scripts(CONDENSING), async (script) => {
    await using world = await openModelWorld({ condense_above: 50 })
    const { sessionId } = await tryScript(world, 0, [['find', 0], ...script])
    for (const { reason } of await world.sessions.history.restorePoints({ sessionId })) reasons.add(reason)
  })
  await fc.assert(property, { numRuns: CONDENSED })
  for (const reason of [
    'result-whole',
    'result-condensed',
    'summary',
    'version',
    'branch',
    'restore',
  ] as const)
    expect(reasons).toContain(reason)
}, 3_600_000)
