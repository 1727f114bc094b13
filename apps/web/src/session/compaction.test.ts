import { IDLE, type SessionStatus } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { isCompacting, NO_COMPACTION, nextCompaction, whenIdle } from './compaction.ts'

const busy = (runId: string): SessionStatus => ({ state: 'busy', runId, startedAt: 0 })
const RUNNING = { type: 'running', auto: false } as const
const FAILED = { type: 'failed', message: 'The model is gone.' } as const

test('UI-21 a summary that is written says whether a person asked for it', () => {
  for (const auto of [true, false])
    expect(nextCompaction({ type: 'compaction-started', sessionId: 's', auto })).toEqual({
      type: 'running',
      auto,
    })
})

test('UI-21 a summary that is done leaves nothing to show; one that failed says why', () => {
  const done = { type: 'compaction-completed', sessionId: 's', beforeTokens: 9, afterTokens: 1 } as const
  expect(nextCompaction(done)).toEqual(NO_COMPACTION)
  const { message } = FAILED
  const failed = { type: 'compaction-failed', sessionId: 's', code: 'MODEL_NOT_FOUND', message } as const
  expect(nextCompaction(failed)).toEqual(FAILED)
})

test('UI-21 once nothing runs nothing is summarised, and a failure stays in view', () => {
  expect(whenIdle(RUNNING)).toEqual(NO_COMPACTION)
  expect(whenIdle(FAILED)).toBe(FAILED)
  expect(whenIdle(NO_COMPACTION)).toBe(NO_COMPACTION)
})

test('UI-21 a session that an operation holds is being summarised, one that a reply holds is not', () => {
  expect(isCompacting(NO_COMPACTION, busy('op_1'))).toBe(true)
  expect(isCompacting(NO_COMPACTION, busy('run_1'))).toBe(false)
  expect(isCompacting(NO_COMPACTION, IDLE)).toBe(false)
  expect(isCompacting(FAILED, IDLE)).toBe(false)
  expect(isCompacting(RUNNING, busy('run_1'))).toBe(true)
})
