import { visibleText, visibleWords } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { askedQuestions } from './question-part.ts'
import { type ToolPart, toolTarget, toolTitle } from './tool-part.ts'

type RuleWords = Readonly<Record<string, (what: string) => string>>

/** The rule or mode that allowed a call, as recorded with it: `session: edit src/*`. Null for any other text. */
export function ruleLine(reason: string | undefined, words: RuleWords): string | null {
  const [, by = '', what = ''] = /^(\w+): (.+)$/s.exec(reason ?? '') ?? []
  return Object.hasOwn(words, by) ? (words[by]?.(visibleText(what)) ?? null) : null
}

/** What allowed a call: a person, or a rule or mode; null where nothing had to. */
export function useAllowance({ approval }: ToolPart): string | null {
  const { tool, mode } = useMessages()
  if (approval?.approved !== true) return null
  const names: Readonly<Record<string, string>> = mode.names
  const allowedBy = {
    ...tool.allowedBy,
    mode: (name: string) =>
      tool.allowedBy.mode((Object.hasOwn(names, name) ? names[name] : undefined) ?? name),
  }
  const line = ruleLine(approval.reason, allowedBy)
  return line ?? (approval.isAutomatic === true ? null : tool.allowedOnce)
}

/** Why a call was refused, or what was answered; nothing where there is neither. */
export function DecisionLine({ part }: { part: ToolPart }) {
  const text = useDecision(part)
  return text === null ? null : (
    <p dir="auto" className="pr-2 pb-1 pl-8 text-sm text-muted wrap-anywhere">
      <Marked text={text} />
    </p>
  )
}

/** A refused call among others that are folded: what it was, and why it was refused. */
export function DenialLine({ part }: { part: ToolPart }) {
  const { tool } = useMessages()
  const reason = refusalOf(part)
  return (
    <p dir="auto" className="pr-2 pb-1 pl-8 text-sm text-muted wrap-anywhere">
      {visibleText(toolTitle(part, tool.titles))}{' '}
      <span className="exact-inline font-code text-xs">{visibleText(toolTarget(part))}</span>
      {reason !== null && (
        <>
          {' · '}
          <Marked text={visibleWords(reason)} />
        </>
      )}
    </p>
  )
}

/** Text in which what is between backticks is code. */
function Marked({ text }: { text: string }) {
  return text.split(/`([^`\n]+)`/).map((piece, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change places
      <code key={at} className="font-code text-xs">
        {piece}
      </code>
    ) : (
      piece
    ),
  )
}

function refusalOf(part: ToolPart): string | null {
  return part.approval?.approved === false ? (part.approval.reason ?? null) : null
}

function useDecision(part: ToolPart): string | null {
  const { tool } = useMessages()
  const answers = (askedQuestions(part) ?? []).flatMap(({ answers: given }) =>
    given === null ? [] : [given],
  )
  if (answers.length > 0)
    return tool.answered(answers.map((given) => visibleWords(given.join(', ')) || tool.noAnswer).join(' · '))
  const reason = refusalOf(part)
  return reason === null ? null : tool.deniedBecause(visibleWords(reason))
}
