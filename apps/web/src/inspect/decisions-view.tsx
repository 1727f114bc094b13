import type { InspectedDecision, InspectedMessage } from '@palimpsest/core/domain'
import { type Messages, ruleLine, useMessages, visibleText, visibleWords } from '@palimpsest/ui'
import { inspectWords as words } from '../words/en-inspect.ts'
import { InspectedList } from './inspected-list.tsx'
import { useInspectedMessages } from './use-inspection.ts'

/** Each call, and what decided about it. */
export function DecisionsView({ sessionId }: { sessionId: string }) {
  return (
    <InspectedList list={useInspectedMessages(sessionId)}>
      {(messages) => <Decisions messages={messages} />}
    </InspectedList>
  )
}

function Decisions({ messages }: { messages: readonly InspectedMessage[] }) {
  const { tool } = useMessages()
  const calls = messages.flatMap(({ id, steps }) =>
    steps.flatMap((step) =>
      step.calls.map((call, index) => ({ ...call, key: `${id} ${step.no} ${index}`, step: step.no })),
    ),
  )
  if (calls.length === 0) return <p>{words.noCalls}</p>
  return (
    <ul aria-label={words.views.decisions}>
      {calls.map((call) => (
        <li key={call.key} className="flex flex-wrap items-baseline gap-x-4 border-line border-t py-2">
          <span className="min-w-28 font-code text-sm wrap-anywhere">{visibleText(call.tool)}</span>
          <span dir="auto" className="min-w-0 grow basis-60 wrap-anywhere">
            {decisionText(call.decision, tool)}
          </span>
          <span className="text-sm text-muted">
            {words.step} {call.step} · {call.state}
          </span>
        </li>
      ))}
    </ul>
  )
}

function decisionText(decision: InspectedDecision | null, tool: Messages['tool']): string {
  if (decision === null) return words.decisions.none
  const { approved, automatic, reason } = decision
  if (approved === null) return words.decisions.waiting
  if (!approved) return reason === null ? words.decisions.denied : tool.deniedBecause(visibleWords(reason))
  const rule = ruleLine(reason ?? undefined, tool.allowedBy)
  return rule ?? (automatic ? words.decisions.automatic : tool.allowedOnce)
}
