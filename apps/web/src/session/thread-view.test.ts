import { expect, test } from 'vitest'
import { growLiveRun, startLiveRun } from './live-run.ts'
import { liveContextWindow } from './thread-view.ts'

const counted = { used: 600, limit: 64_000, usable: 48_000, estimated: false }
const session = { model: { providerId: 'lab', modelId: 'own', variant: 'high' } }
const quiet = { session, contextWindow: counted, live: null, countedCharacters: 0 }

test('UI-14 the meter has the limits of another model that was just chosen', () => {
  const small = { providerId: 'lab', modelId: 'small', contextLimit: 4_000, maxOutput: 1_000 }
  expect(liveContextWindow(quiet, small)).toEqual({
    used: 600,
    limit: 4_000,
    usable: 3_000,
    estimated: false,
  })
  expect(liveContextWindow(quiet, null)).toEqual(counted)
})

test('UI-14 for the model of the chat the meter has the limits that the server plans with', () => {
  const own = { providerId: 'lab', modelId: 'own', contextLimit: 64_000, maxOutput: 1_000 }
  expect(liveContextWindow(quiet, own)).toEqual(counted)
})

test('UI-14 the meter grows with the reply, and says that it estimates', () => {
  const live = growLiveRun(startLiveRun('run', 'reply'), [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'x'.repeat(400) },
  ])
  expect(liveContextWindow({ ...quiet, live }, null)).toMatchObject({ used: 700, estimated: true })
  expect(liveContextWindow({ ...quiet, live, countedCharacters: 400 }, null)).toEqual(counted)
})
