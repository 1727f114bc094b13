import { type HistoryLab, openHistoryLab, words } from '@palimpsest/testing/history-lab.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateTextTokens } from '../../context/estimate-tokens.ts'
import { visibleNow } from '../plan/view.ts'
import { measureWindow } from '../read/measure-window.ts'

const RUNS = process.env['TEST_PROFILE'] === 'long' ? 1_000 : 40
const modelOf = (modelId: string) => ({ providerId: 'lab', modelId })

const talk = fc.record({
  /** Tokens of each question. */
  turns: fc.array(fc.integer({ min: 5, max: 1_500 }), { minLength: 1, maxLength: 4 }),
  to: fc.constantFrom('roomy', 'm1', 'small', 'tiny', 'unknown'),
  next: fc.integer({ min: 1, max: 900 }),
})

/** Everything that a switch may change. */
async function stateOf(lab: HistoryLab, sessionId: string) {
  const { status: _, ...session } = await lab.session(sessionId)
  const timeline = await lab.sessions.history.timeline(sessionId)
  return { session, timeline, messages: await lab.everything(sessionId) }
}

/** The meter, which is what working it out again gives. */
async function meterOf({ ports, ...lab }: HistoryLab, sessionId: string) {
  const session = await ports.store.sessions.get(sessionId)
  if (session === null) throw new Error('The session is gone')
  const outline = await ports.store.history.outline(sessionId)
  const again = await measureWindow(session, outline, visibleNow(outline), ports)
  const { contextWindow } = await lab.session(sessionId)
  expect(contextWindow).toMatchObject({ used: again.contextTokens, estimated: again.contextEstimated })
  return contextWindow
}

test('MO-3 US-4 a switch changes nothing, or the conversation continues and fits', async () => {
  const seen = { fits: 0, compacts: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(talk, async ({ turns, to, next }) => {
      await using lab = await openHistoryLab()
      const model = modelOf(to)
      const { id: sessionId } = await lab.sessions.create({ title: 'Talk', model: modelOf('roomy') })
      for (const tokens of turns) await lab.turn(words(tokens), sessionId)
      const before = await stateOf(lab, sessionId)
      const { outcome, window } = await lab.sessions.history.fit({ sessionId, model })
      const text = words(next)
      const free = window.usable === null ? Number.POSITIVE_INFINITY : window.usable - window.used
      const needed = estimateTextTokens(text, 'lab')
      const message = { parts: [{ type: 'text' as const, text }] }
      const sent = await lab.sessions.send({ sessionId, message, model }).catch((error: unknown) => error)

      if (sent instanceof Error) {
        expect(sent).toMatchObject({ code: expect.stringMatching(/^(MODEL_TOO_SMALL|COMPACTION_FAILED)$/) })
        expect(await stateOf(lab, sessionId)).toEqual(before)
        expect(free).toBeLessThan(2 * needed + 50)
        seen.refused += 1
        return
      }
      await lab.chunksOf(sessionId, (sent as { runId: string }).runId)
      const after = await stateOf(lab, sessionId)
      const kinds = after.timeline.map(({ kind }) => kind)
      expect(after.session.model).toEqual(model)
      expect(kinds.includes('switch')).toBe(to !== 'roomy')
      if (free > 2 * needed + 50) expect([outcome, kinds.includes('compaction')]).toEqual(['fits', false])
      seen[kinds.includes('compaction') ? 'compacts' : 'fits'] += 1
      const { used, usable } = await meterOf(lab, sessionId)
      expect(used).toBeLessThan(usable ?? Number.POSITIVE_INFINITY)
      await rewindAndSwitch(lab, sessionId)
    }),
    {
      numRuns: RUNS,
      // One of each outcome, whatever else is drawn.
      examples: [
        [{ turns: [300, 300, 300], to: 'small', next: 1 }],
        [{ turns: [800, 800, 800], to: 'small', next: 1 }],
        [{ turns: [1_600, 1_600, 1_600], to: 'tiny', next: 1 }],
      ],
    },
  )
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0)
}, 600_000)

/** Whatever was switched to: there and back again, the meter says the same. */
async function rewindAndSwitch(lab: HistoryLab, sessionId: string): Promise<void> {
  const before = await meterOf(lab, sessionId)
  const asked = (await lab.visible(sessionId)).filter(({ role }) => role === 'user')
  await lab.sessions.history.rewind({ sessionId, messageId: asked.at(-1)?.id ?? '' })
  await meterOf(lab, sessionId)
  await lab.sessions.history.unrewind({ sessionId })
  expect(await meterOf(lab, sessionId)).toEqual(before)
}
