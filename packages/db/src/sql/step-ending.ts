import { totalTokens } from '@palimpsest/core/domain'
import type { StepEnding } from '@palimpsest/core/ports'
import type { RawQueries } from '../connect/statements.ts'
import { type SessionRow, writeModel } from '../rows/session-row.ts'
import { writePrompt } from './prompt-rows.ts'
import { setContext } from './session-context.ts'
import { type SessionChanges, updateSession } from './session-rows.ts'

/** Writes what a step that has ended adds to its session, and its system prompt; undefined when there is no such session. */
export async function endStep(
  queries: RawQueries,
  sessionId: string,
  { usage, contextTokens, contextEstimated, model, systemPrompt }: StepEnding,
  at: number,
): Promise<SessionRow | undefined> {
  if (systemPrompt !== null) await writePrompt(queries, systemPrompt)
  if (contextTokens !== null) await setContext(queries, sessionId, { contextTokens, contextEstimated })
  const modelJson = writeModel(model)
  return await updateSession(queries, sessionId, at, {
    modelJson,
    ...(usage !== null && { added: countsOf(usage) }),
  })
}

function countsOf(usage: NonNullable<StepEnding['usage']>): NonNullable<SessionChanges['added']> {
  const { input, output, reasoning, cacheRead, cacheWrite } = usage
  return {
    promptTokens: input,
    completionTokens: output,
    reasoningTokens: reasoning,
    cacheRead,
    cacheWrite,
    totalTokens: totalTokens(usage),
  }
}
