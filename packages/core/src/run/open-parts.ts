import type { CallPart } from '../context/hosted-calls.ts'
import { type ChatPart, isToolPart } from '../domain/message/message.ts'

const OPEN: ReadonlySet<string> = new Set<CallPart['state']>([
  'input-available',
  'approval-requested',
  'approval-responded',
])

/** The calls of a reply's last step that have no output and are not made by the provider. */
export function openParts(parts: readonly ChatPart[]): CallPart[] {
  return stepCalls(parts).filter(
    ({ state, providerExecuted }) => OPEN.has(state) && providerExecuted !== true,
  )
}

/** The calls of a reply's last step. */
export function stepCalls(parts: readonly ChatPart[]): CallPart[] {
  return parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1).filter(isToolPart)
}
