import { createImpatientClock } from '@palimpsest/testing/fake-clock.ts'
import { counted, type HistoryLab, openHistoryLab, words } from '@palimpsest/testing/history-lab.ts'
import { failure } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'

const tooLong = failure(400, 'The prompt is too long.')

/** A chat that was compacted automatically and that its provider still finds too long. */
async function openStuck() {
  const lab = await openHistoryLab({ clock: createImpatientClock() })
  const { sessionId } = await lab.turn(words(1_800))
  await lab.turn(words(1_800), sessionId)
  lab.provider.otherwise(tooLong)
  await lab.turn(words(600), sessionId)
  return { lab, sessionId, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() }
}

async function expectGivenUp(lab: HistoryLab, sessionId: string) {
  expect((await lab.session(sessionId)).status).toMatchObject({
    state: 'error',
    message: expect.stringMatching(/Even summarised.* larger window.* branch .* new chat/),
  })
}

test('CP-6 the next run compacts no further before a step is completed, after a restart either', async () => {
  await using open = await openStuck()
  const { lab, sessionId } = open
  expect(lab.summaries).toHaveLength(1)
  await lab.turn(words(600), sessionId)
  await expectGivenUp(lab, sessionId)
  expect(lab.summaries).toHaveLength(1)

  await using restarted = await openHistoryLab({
    store: lab.ports.store,
    clock: createImpatientClock(),
  })
  restarted.provider.otherwise(tooLong)
  await restarted.turn('Again', sessionId)
  await expectGivenUp(restarted, sessionId)
  expect(restarted.summaries).toHaveLength(0)
})

test('CP-6 once a step is completed, a later run compacts again', async () => {
  await using open = await openStuck()
  const { lab, sessionId } = open
  lab.provider.otherwise((request) => counted(request, { text: 'Well.' }))
  await lab.turn('Now', sessionId)
  for (const text of [words(1_500), words(1_500), words(1_500)]) await lab.turn(text, sessionId)
  expect(lab.summaries.length).toBeGreaterThan(1)
  expect((await lab.session(sessionId)).status).toEqual({ state: 'idle' })
})

test('CP-6 compact and uncompact by request work after the automatic compaction has stopped', async () => {
  await using open = await openStuck()
  const { lab, sessionId } = open
  await lab.turn(words(600), sessionId)
  await lab.sessions.history.compact(sessionId)
  expect(lab.summaries).toHaveLength(2)
  await lab.sessions.history.uncompact(sessionId)
  await lab.sessions.history.uncompact(sessionId)
  expect((await lab.visible(sessionId)).some(({ metadata }) => metadata?.summary)).toBe(false)
})
