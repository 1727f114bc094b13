import type { ChatMessage } from '@palimpsest/core/domain'
import { type Command, carryOut, KINDS, type ModelWorld, openModelWorld } from '@palimpsest/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSummary } from '../session/summary.ts'
import { isHidden } from '../session/visibility.ts'
import { threadLayout } from './thread/thread-layout.ts'

const SEQUENCES = process.env['TEST_PROFILE'] === 'long' ? 2_000 : 120

/** Often what changes the history, seldom what takes long. */
const OFTEN: ReadonlySet<Command['kind']> = new Set([
  'send',
  'rewind',
  'unrewind',
  'compact',
  'edit',
  'leaveout',
])

const kinds = (Object.keys(KINDS) as Command['kind'][]).map((kind) => ({
  arbitrary: fc.constant(kind),
  weight: OFTEN.has(kind) ? 6 : 1,
}))
const commands = fc.array(fc.record({ kind: fc.oneof(...kinds), pick: fc.nat({ max: 1_000 }) }), {
  minLength: 4,
  maxLength: 20,
})

const sorted = (messages: readonly ChatMessage[]) => messages.map(({ id }) => id).toSorted()
const hiddenBy = ({ metadata }: ChatMessage) => metadata?.hiddenBy ?? ''

/** Lays the thread of a session out from what the server answers, and holds it to the store. */
async function drawPage({ sessions, current }: ModelWorld): Promise<void> {
  const { id: sessionId } = current
  const { items: loaded } = await sessions.messages({ sessionId, limit: 200, hidden: true })
  const { items: visible } = await sessions.messages({ sessionId, limit: 200 })
  const timeline = await sessions.history.timeline(sessionId)
  const layout = threadLayout({ loaded, revealed: new Set(), timeline })

  // The thread shows what the model's view is made of, each message once.
  expect(sorted(layout.messages)).toEqual(sorted(visible))

  // With everything revealed nothing is left out but words that are part of a reply, and former summaries.
  const revealed = new Set([...loaded.map(hiddenBy), ...layout.covers.values()])
  const all = threadLayout({ loaded, revealed, timeline }).messages
  const kept = loaded.filter((message) => {
    const by = hiddenBy(message)
    return by === '' || !(by.startsWith('run_') || isSummary(message))
  })
  expect(
    all
      .filter((message) => !isSummary(message) || !isHidden(message))
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(sorted(kept))

  // A divider counts what it opens to, as the timeline has it.
  for (const summary of layout.messages.filter(isSummary)) {
    const operation = timeline.find(({ id }) => id === summary.metadata?.compactionId)
    if (operation === undefined) continue
    const covered = loaded.filter(
      (message) => layout.covers.get(message.id) === operation.id && !isSummary(message),
    )
    expect(covered).toHaveLength(operation.hiddenCount)
  }
}

test('UI-29 UI-17 after any sequence of commands the thread and its dividers show what the store holds', async () => {
  await fc.assert(
    fc.asyncProperty(commands, async (script) => {
      await using world = await openModelWorld()
      for (const command of script) {
        await carryOut(world, command)
        await drawPage(world)
      }
    }),
    { numRuns: SEQUENCES },
  )
}, 240_000)
