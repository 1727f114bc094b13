import { useMessages } from '../messages/messages-context.tsx'
import { askedQuestions } from './question-part.ts'
import type { ToolPart } from './tool-part.ts'

/** What the person decided on a call, or answered; nothing where nobody was asked. */
export function DecisionLine({ part }: { part: ToolPart }) {
  const text = useDecision(part)
  return text === null ? null : (
    <p dir="auto" className="pr-2 pb-1 pl-8 text-sm text-muted wrap-anywhere">
      {text}
    </p>
  )
}

function useDecision(part: ToolPart): string | null {
  const { tool } = useMessages()
  const answers = (askedQuestions(part) ?? []).flatMap(({ answers: given }) =>
    given === null ? [] : [given],
  )
  if (answers.length > 0)
    return tool.answered(answers.map((given) => given.join(', ') || tool.noAnswer).join(' · '))
  const { approval } = part
  if (approval?.approved === undefined || approval.isAutomatic === true) return null
  if (approval.approved) return tool.allowedOnce
  return approval.reason === undefined ? null : tool.deniedBecause(approval.reason)
}
