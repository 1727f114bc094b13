import type { ChangeList, ChangesResult, PathDiff } from '@palimpsest/core'
import { FILE_MODES, type FileChange, NOT_KEPT_REASONS } from '@palimpsest/core/domain'
import { z } from 'zod'
import { fields, fileChoices, MAX_PATHS } from './inputs.ts'

const { id } = fields
const count = z.number()
const text = z.string()

const path = z.string().min(1).max(4096)
const ordinal = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

const moment = z.discriminatedUnion('at', [
  z.strictObject({ at: z.literal('start') }),
  z.strictObject({ at: z.literal('before-run'), runId: id }),
  z.strictObject({ at: z.literal('after-run'), runId: id }),
  z.strictObject({ at: z.literal('change'), ordinal }),
  z.strictObject({ at: z.literal('now') }),
])

const hunks = z.strictObject({
  path,
  hunks: z.array(z.number().int().min(0).max(100_000)).min(1).max(10_000),
})

/** Inputs of the procedures of changed files. */
export const changesInputs = {
  list: z.strictObject({ sessionId: id, runId: id.exactOptional() }),
  diff: z.strictObject({
    sessionId: id,
    path,
    from: moment.exactOptional(),
    to: moment.exactOptional(),
  }),
  revert: z.strictObject({
    sessionId: id,
    runId: id.exactOptional(),
    paths: z.array(path).min(1).max(MAX_PATHS).exactOptional(),
    hunks: z.array(hunks).min(1).max(MAX_PATHS).exactOptional(),
    files: fileChoices.exactOptional(),
  }),
  resolve: z.strictObject({ sessionId: id, operationId: id, files: fileChoices.min(1) }),
  settle: z.strictObject({ sessionId: id, leave: z.boolean().exactOptional() }),
  patch: z.strictObject({
    sessionId: id,
    runId: id.exactOptional(),
    paths: z.array(path).min(1).max(MAX_PATHS).exactOptional(),
  }),
}

const reason = z.enum(NOT_KEPT_REASONS)

const entry = z.looseObject({
  ordinal: count,
  author: z.enum(['call', 'operation', 'person']),
  madeIn: text,
  runId: text.nullable(),
  messageId: text.nullable(),
  toolCallId: text.nullable(),
  operationId: text.nullable(),
  uncertain: z.boolean(),
  at: count,
})

const pending = z.looseObject({ operationId: text, paths: z.array(text) }).nullable()

const list: z.ZodType<ChangeList> = z.looseObject({
  coverage: z.enum(['all', 'write-and-edit', 'none']),
  files: z.array(
    z.looseObject({
      path: text,
      change: z.enum(['created', 'changed', 'deleted', 'unchanged']),
      lines: z.looseObject({ added: count, removed: count }).nullable(),
      now: z.enum(['as-left', 'changed-since', 'gone']),
      entries: z.array(entry),
    }),
  ),
  notKept: z.array(
    z.looseObject({ path: text, reason, toolCallId: text.nullable(), messageId: text.nullable() }),
  ),
  conflicts: z.array(z.looseObject({ operationId: text, path: text, at: count })),
  pending,
})

const side = z.looseObject({ mode: z.enum(FILE_MODES), bytes: count }).nullable()

const fileChange: z.ZodType<FileChange> = z.looseObject({
  path: text,
  diff: text,
  added: count,
  removed: count,
  created: z.literal(true).exactOptional(),
  truncated: z.literal(true).exactOptional(),
})

const diff: z.ZodType<PathDiff> = z.looseObject({
  path: text,
  change: fileChange.nullable(),
  hunks: count,
  before: side,
  after: side,
})

const result: z.ZodType<ChangesResult> = z.looseObject({
  operationId: text,
  fates: z.array(
    z.discriminatedUnion('fate', [
      z.looseObject({ path: text, fate: z.enum(['restored', 'conflict', 'kept']) }),
      z.looseObject({ path: text, fate: z.literal('beside'), copy: text }),
      z.looseObject({ path: text, fate: z.literal('not-kept'), reason }),
    ]),
  ),
})

/** Outputs of the procedures of changed files. */
export const changesOutputs = {
  list,
  diff,
  result,
  settled: z.looseObject({ pending }),
  patch: z.looseObject({ patch: text }),
}
