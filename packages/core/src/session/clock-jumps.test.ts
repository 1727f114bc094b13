import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { systemClock } from '../live/system-clock.ts'

const HOUR_MS = 3_600_000

/** A system clock that is set during the test. */
function clockThatIsSet() {
  let offset = 0
  return {
    ...systemClock,
    now: () => systemClock.now() + offset,
    set(ms: number) {
      offset += ms
    },
  }
}

test.for([-HOUR_MS, HOUR_MS])(
  'RL-3 a clock that is set by %i ms in mid-reply changes nothing about it',
  async (ms) => {
    const clock = clockThatIsSet()
    await using lab = await openCoreLab({ clock }, { runs: { stallMs: 20_000 } })
    const rest = Promise.withResolvers<void>()
    lab.provider.script(reply({ text: ['Half ', 'and ', 'half'], hold: { before: 1, until: rest.promise } }))
    const { sessionId, runId } = await lab.say('Go')
    const chunks = lab.chunksOf(sessionId, runId)
    await lab.provider.received(0)
    clock.set(ms)
    rest.resolve()
    await chunks
    lab.provider.script(reply({ text: 'And on' }))
    const { messages } = await lab.turn('Go on', sessionId)
    const said = messages.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join(''))
    expect(said).toEqual(['Go', 'Half and half', 'Go on', 'And on'])
    const { finishReason, durationMs } = messages[1]?.metadata ?? {}
    expect(finishReason).toBe('stop')
    expect(durationMs).toBeGreaterThanOrEqual(0)
    expect(durationMs).toBeLessThan(60_000)
    expect((await lab.sessions.get(sessionId)).status.state).toBe('idle')
  },
)

test('RL-3 a store that is slow delays a reply, shows nothing that is not stored, and loses nothing', async () => {
  const shown: number[] = []
  let stored = 0
  await using lab = await openCoreLab()
  const { record } = lab.ports.store.runs
  lab.ports.store.runs.record = async (write) => {
    await systemClock.sleep(30)
    await record(write)
    stored++
  }
  lab.provider.script(reply({ text: Array.from({ length: 20 }, (_, word) => `w${word} `), everyMs: 5 }))
  const { sessionId, runId } = await lab.say('Go')
  for await (const _ of lab.sessions.stream({ sessionId, runId })) shown.push(stored)
  const { items } = await lab.sessions.messages({ sessionId })
  const text = items[1]?.parts.map((part) => ('text' in part ? part.text : '')).join('')
  expect(text).toMatch(/^w0 .*w19 $/)
  expect(shown.every((writes, index) => index === 0 || writes > 0)).toBe(true)
  expect((await lab.sessions.get(sessionId)).status.state).toBe('idle')
})
