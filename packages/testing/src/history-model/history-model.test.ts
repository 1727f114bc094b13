import type { CompactionSettings } from '@palimpsest/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Command, carryOut, KINDS } from './commands.ts'
import { checkCount, checkPrompt, checkSession } from './invariants.ts'
import { type ModelWorld, openModelWorld } from './model-world.ts'

const LONG = process.env['TEST_PROFILE'] === 'long'
const SEQUENCES = LONG ? 10_000 : 200
const COMMANDS = 40

type Kind = Command['kind']
/** Kinds that begin a run, which asks the model. */
const ASKING: ReadonlySet<Kind> = new Set<Kind>(['send', 'tool', 'find', 'switch', 'edit', 'resend'])

const WEIGHTS: Record<Kind, number> = {
  send: 6,
  tool: 3,
  find: 0,
  fail: 1,
  switch: 2,
  abort: 2,
  edit: 2,
  resend: 2,
  rewind: 4,
  unrewind: 3,
  roundtrip: 1,
  branch: 2,
  home: 1,
  compact: 2,
  uncompact: 2,
  prune: 1,
  unprune: 1,
  uncondense: 0,
  recondense: 0,
  leaveout: 3,
  bringback: 1,
  queue: 1,
  busy: 1,
  together: 1,
}

/** Of large finds, which alone are pruned; few commands, since each copy of them takes its time. */
const FINDING: Record<Kind, number> = { ...WEIGHTS, find: 60, prune: 12, unprune: 4, edit: 0 }

/** Of finds that are condensed, and seen whole again. */
const CONDENSING: Record<Kind, number> = { ...FINDING, uncondense: 12, recondense: 6 }

function scripts(weights: Record<Kind, number>, maxLength: number): fc.Arbitrary<Command[]> {
  const kinds = Object.keys(KINDS) as Kind[]
  const kind = fc.oneof(...kinds.map((one) => ({ arbitrary: fc.constant(one), weight: weights[one] })))
  return fc.array(fc.record({ kind, pick: fc.nat({ max: 1_000 }) }), { maxLength, size: 'max' })
}

const script = fc.oneof(
  { arbitrary: scripts(WEIGHTS, COMMANDS), weight: 30 },
  { arbitrary: scripts(FINDING, 20), weight: 1 },
)

async function follow(script: readonly Command[], compaction: CompactionSettings = {}): Promise<ModelWorld> {
  await using world = await openModelWorld(compaction)
  for (const next of script) await step(world, next)
  for (const session of world.all) await checkSession(world, session)
  return world
}

async function step(world: ModelWorld, next: Command): Promise<void> {
  const { id: sessionId, reference } = world.current
  const before = reference.visible
  const asked = world.models.prompts.length
  const refused = await carryOut(world, next)
  await checkSession(world, world.current)
  if (refused) expect(reference.visible).toEqual(before)
  if (refused || !ASKING.has(next.kind) || world.models.prompts.length === asked) return
  const { items } = await world.sessions.messages({ sessionId, limit: 200 })
  const reply = items.findLast(({ metadata }) => !metadata?.summary)
  if (reply?.metadata?.finishReason !== 'stop') return
  checkPrompt(world, items)
  const { contextWindow } = await world.sessions.get(sessionId)
  if (!contextWindow.estimated) checkCount(world, contextWindow.used, writtenIn(reply.parts.at(-1)))
}

function writtenIn(part: { type: string; text?: string } | undefined): number {
  return Math.round((part?.text?.length ?? 0) / 3.8)
}

/** Scripts that once failed, each command with its pick. */
const REGRESSIONS = [
  // A rewind forward to a hidden message only shows: its undoing is that of any other.
  'busy 0, busy 0, rewind 0, roundtrip 235',
  // A branch that ends with a user message, edited and gone back to.
  'abort 0, branch 0, edit 0, together 0, send 0',
  'queue 0, abort 0, branch 338, compact 0, roundtrip 3, abort 0',
  // A branch that ends with a user message, gone forward to again: that only shows, and what is sent takes its place.
  'queue 686, switch 0, branch 954, compact 0, rewind 520, together 95, switch 0',
  // A reply whose scale is one after others whose is not.
  'fail 0, rewind 0, busy 0, branch 201, switch 0, rewind 278, queue 941, switch 0, unrewind 0, abort 0, abort 0',
]

/** Whatever chance brings, this is among it. */
const SEEING_WHOLE = 'find 0, uncondense 0, send 0, recondense 0, find 0, uncondense 1, send 0, uncondense 0'

function toScript(text: string): Command[] {
  return text.split(', ').map((command) => {
    const [kind, pick] = command.split(' ')
    return { kind: kind as Kind, pick: Number(pick) }
  })
}

test('RL-2 the random commands cover turns, aborts, every history operation and the queue', () => {
  const required = [
    'send',
    'abort',
    'rewind',
    'unrewind',
    'branch',
    'compact',
    'uncompact',
    'prune',
    'switch',
    'leaveout',
    'bringback',
    'queue',
  ]
  expect(Object.keys(KINDS)).toEqual(expect.arrayContaining(required))
  for (const kind of required) expect(WEIGHTS[kind as Kind], kind).toBeGreaterThan(0)
})

test('RL-2 any sequence of commands leaves the histories that a plain reference computes', async () => {
  const property = fc.asyncProperty(script, async (commands) => void (await follow(commands)))
  await fc.assert(property, {
    numRuns: SEQUENCES,
    examples: REGRESSIONS.map((known): [Command[]] => [toScript(known)]),
  })
}, 3_600_000)

test('RL-2 PR-4 the same holds where outputs are condensed', async () => {
  let condensed = 0
  let seenWhole = 0
  const property = fc.asyncProperty(scripts(CONDENSING, 20), async (commands) => {
    const { models, all } = await follow(commands, { condense_above: 1_000 })
    condensed += models.condensed
    seenWhole += all.filter(({ whole }) => whole.size > 0).length
  })
  await fc.assert(property, { numRuns: LONG ? 500 : 25, examples: [[toScript(SEEING_WHOLE)]] })
  expect(condensed).toBeGreaterThan(25)
  expect(seenWhole).toBeGreaterThan(0)
}, 3_600_000)
