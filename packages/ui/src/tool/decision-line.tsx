import { visibleText, visibleWords } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { askedQuestions } from './question-part.ts'
import type { ToolPart } from './tool-part.ts'

type RuleWords = Readonly<Record<string, (what: string) => string>>

/** The rule or mode that allowed a call, as recorded with it: `session: edit src/*`. Null for any other text. */
export function ruleLine(reason: string | undefined, words: RuleWords): string | null {
  const [, by = '', what = ''] = /^(\w+): (.+)$/s.exec(reason ?? '') ?? []
  return Object.hasOwn(words, by) ? (words[by]?.(visibleText(what)) ?? null) : null
}

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
    return tool.answered(answers.map((given) => visibleWords(given.join(', ')) || tool.noAnswer).join(' · '))
  const { approval } = part
  if (approval?.approved === undefined) return null
  if (approval.approved) {
    if (approval.isAutomatic === true) return null
    return ruleLine(approval.reason, tool.allowedBy) ?? tool.allowedOnce
  }
  return approval.reason === undefined ? null : tool.deniedBecause(visibleWords(approval.reason))
}
