import { ERROR_CODES } from '../errors.ts'
import { isObject } from '../json/stored-keys.ts'
import { IMPORT_LIMITS } from '../limits.ts'
import type { FinishReason, MessageMetadata } from '../message/message.ts'
import { REMINDER_KINDS, REMINDER_LIMITS } from '../message/reminder.ts'
import { BUDGET_LIMITS, BUDGET_SCOPES } from '../model/budget.ts'
import { WINDOW_SCALE } from '../window/counted-window.ts'
import {
  always,
  amount,
  type Check,
  type Fields,
  flag,
  integer,
  listOf,
  must,
  never,
  nullOr,
  numberOf,
  object,
  oneOf,
  recordOf,
  text,
} from './check.ts'

/** Names that others give: providers, calls, snapshots. */
const name = text(1024)
const words = text(IMPORT_LIMITS.textCharacters)
const tokens = integer(0, IMPORT_LIMITS.tokensPerMessage)
export const time = integer(0, IMPORT_LIMITS.time)

export const model: Check = object(
  { providerId: text(200, 1), modelId: text(200, 1) },
  { variant: text(200) },
)

const FINISH_REASONS = [
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'error',
  'other',
  'aborted',
  'interrupted',
  'max-steps',
  'doom-loop',
  'budget',
] as const satisfies FinishReason[]

const counts = { input: tokens, output: tokens, reasoning: tokens, cacheRead: tokens, cacheWrite: tokens }
const usage = object({ ...counts, steps: tokens }, { unknown: always })
const stepFigures = recordOf(
  object({ tokens: object(counts), durationMs: amount, finishReason: name }, { unknown: always }),
)

const countedWindow = object(
  { tokens },
  {
    compactionId: name,
    fixed: tokens,
    estimated: flag,
    pruned: integer(0, Number.MAX_SAFE_INTEGER),
    condensed: tokens,
    scale: numberOf(WINDOW_SCALE.min, WINDOW_SCALE.max),
  },
)

const names = listOf(text(4_096), 1_000)
const promptLeftOut = object({
  limit: tokens,
  tools: names,
  skills: names,
  instructions: names,
  personal: flag,
  memories: flag,
})

const condensed = recordOf(
  object(
    {
      text: words,
      model,
      ofCharacters: integer(0, Number.MAX_SAFE_INTEGER),
      beforeTokens: tokens,
      afterTokens: tokens,
      spentTokens: tokens,
    },
    { unused: always },
  ),
)

const reminders = listOf(
  object(
    {
      step: integer(1, IMPORT_LIMITS.tokensPerMessage),
      kind: oneOf(REMINDER_KINDS),
      text: text(REMINDER_LIMITS.characters),
    },
    {
      about: name,
      files: listOf(
        object({ path: text(REMINDER_LIMITS.path), stamp: nullOr(text(128)) }),
        REMINDER_LIMITS.files,
      ),
    },
  ),
  REMINDER_LIMITS.perReply,
)

type Known = Record<keyof MessageMetadata, Check>

/** What the keys of a message's metadata hold. */
export const MESSAGE_METADATA: Fields = {
  schemaVersion: must('1', (value) => value === 1),
  createdAt: time,
  runId: name,
  model,
  agent: text(200, 1),
  usage,
  finishReason: oneOf(FINISH_REASONS),
  error: object({ code: oneOf(ERROR_CODES), message: words }),
  budget: object({
    scope: oneOf(BUDGET_SCOPES),
    limit: oneOf(BUDGET_LIMITS),
    max: amount,
    used: amount,
  }),
  spent: object({ tokens: amount, costUsd: amount, toolCalls: amount, durationMs: amount }),
  systemPromptDigest: name,
  instructionsCut: listOf(text(4_096), 200),
  promptLeftOut,
  reminders,
  durationMs: amount,
  partDurationsMs: recordOf(amount),
  stepFigures,
  countsOn: always,
  snapshotId: name,
  workspace: object({ before: name, after: name }),
  trigger: words,
  hooks: must('an object', isObject),
  synthetic: always,
  subagentResult: object({ sessionId: name, agent: name, outcome: oneOf(['finished', 'failed']) }),
  window: countedWindow,
  compactionId: name,
  summary: always,
  steer: flag,
  pausedQueue: always,
  leftOut: always,
  condensed,
  // These are added for a reader, and never stored.
  prunedParts: never,
  hiddenAt: never,
  hiddenBy: never,
} satisfies Known
