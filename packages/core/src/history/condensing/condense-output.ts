import type { Budgets } from '../../budget/budgets.ts'
import { charactersToTokens } from '../../context/estimate-tokens.ts'
import { condensedOutput, savedCharacters } from '../../context/model-output.ts'
import { outputText } from '../../context/output-text.ts'
import { AppError } from '../../domain/errors.ts'
import type { CondensedOutput } from '../../domain/message/condensed-output.ts'
import type { ModelRef } from '../../domain/model/model.ts'
import type { TokenCounts } from '../../domain/model/usage.ts'
import type { Session } from '../../domain/session/session.ts'
import type { ProviderErrorKind } from '../../model/provider-error.ts'
import type { Clock, Models } from '../../ports/index.ts'
import { askCheapest, callSummariser, type SummaryAnswer } from '../summary/call-summariser.ts'
import { charactersFor } from '../summary/pieces.ts'
import { inputTokens } from '../summary/summarise.ts'
import { CONDENSE_INSTRUCTIONS, CONDENSED_TOKENS, condenseRequest } from './condense-prompt.ts'

export type CondenseTask = {
  call: { tool: string; input: unknown; output: unknown }
  /** The model that made the call. */
  caller: ModelRef
  retries: number
  signal: AbortSignal
  session: Session
}

/** The summariser could be asked again, or asked for less; another one would answer the same. */
const ITS_OWN_FAULT: ReadonlySet<ProviderErrorKind> = new Set(['auth', 'invalid-request', 'fatal'])

/**
 * Has a call's output condensed by the cheapest model beside its caller; null when that would not make it shorter.
 * `PROVIDER_ERROR` when no model could be asked.
 */
export async function condenseOutput(
  { call, caller, retries, signal, session }: CondenseTask,
  { models, clock, random, budgets }: { models: Models; clock: Clock; budgets: Budgets; random(): number },
): Promise<CondensedOutput | null> {
  const output = outputText(call.output)

  async function ask(model: ModelRef): Promise<{ model: ModelRef; answer: SummaryAnswer }> {
    const open = await models.open(model)
    const charge = (counts: TokenCounts) => budgets.charge(session, open.info, counts)
    const deps = { open, instructions: CONDENSE_INSTRUCTIONS, maxOutput: CONDENSED_TOKENS }
    const request = condenseRequest({ ...call, output }, charactersFor(inputTokens(deps)))
    return {
      model,
      answer: await callSummariser(request, { ...deps, clock, random, retries, signal, charge }),
    }
  }

  const { model, answer } = await askCheapest(
    caller,
    models,
    ask,
    ({ answer: given }) => given.type === 'failed' && ITS_OWN_FAULT.has(given.failure.kind),
  )
  if (answer.type === 'failed') throw new AppError('PROVIDER_ERROR', answer.failure.message)
  const { text, tokens } = answer.summary
  if (savedCharacters(call.output, { condensed: text, pruned: false }) <= 0) return null
  const tokensOf = (characters: number) => charactersToTokens(characters, caller.providerId)
  return {
    text,
    model,
    ofCharacters: output.length,
    beforeTokens: tokensOf(output.length),
    afterTokens: tokensOf(condensedOutput(call.output, text).text.length),
    spentTokens: tokens,
  }
}
