import { AppError, type HookAnswer } from '@palimpsest/core/domain'
import { z } from 'zod'

/** Characters of a reason, and of the JSON of metadata. */
const REASON_CHARACTERS = 2_000
const METADATA_CHARACTERS = 4_000

const answerSchema = z.strictObject({
  decision: z.enum(['block', 'ask']).exactOptional(),
  reason: z.string().max(REASON_CHARACTERS).exactOptional(),
  metadata: z
    .record(z.string(), z.json())
    .refine((value) => JSON.stringify(value).length <= METADATA_CHARACTERS, {
      error: `has more than ${METADATA_CHARACTERS} characters`,
    })
    .exactOptional(),
  snapshotId: z.string().min(1).max(200).exactOptional(),
})

/** The answer of a hook, checked. `HOOK_DENIED` with what is wrong. */
export function readAnswer(value: unknown): HookAnswer {
  if (value === undefined || value === null) return {}
  const parsed = answerSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.') || 'the answer'
  throw new AppError('HOOK_DENIED', `Its answer is not right: ${field}: ${issue?.message ?? ''}`)
}

/** The answer in the output of a command; none in an empty one. */
export function parseAnswer(stdout: string): HookAnswer {
  if (stdout.trim() === '') return {}
  try {
    return readAnswer(JSON.parse(stdout))
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('HOOK_DENIED', 'Its output is no JSON.', { cause: error })
  }
}

/** The reason of a command that blocks, from what it wrote to standard error. */
export function blockedBy(stderr: string): HookAnswer {
  const reason = stderr.trim().slice(0, REASON_CHARACTERS)
  return { decision: 'block', ...(reason !== '' && { reason }) }
}
