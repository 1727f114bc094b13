import type { ListedRule } from '@palimpsest/core/domain'
import { Button, useFormat, visibleText } from '@palimpsest/ui'
import { type ReactNode, useRef, useState } from 'react'
import { agentWords } from '../words/en-agent.ts'
import { actOf, type GivenRule, isGiven } from './rule-words.ts'

const { permissions: words } = agentWords

export type RuleListProps = {
  /** Names the list. */
  title: string
  hint?: ReactNode
  /** Shown without any rule. */
  empty?: ReactNode
  rules: readonly ListedRule[]
  /** Takes a rule away; false when it could not. */
  onRevoke?: (rule: GivenRule) => Promise<boolean>
}

/** Rules under a heading, which takes the focus when the rule that had it is gone. */
export function RuleList({ title, hint, empty, rules, onRevoke }: RuleListProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [leaving, setLeaving] = useState<string | null>(null)

  async function revoke(rule: GivenRule): Promise<void> {
    setLeaving(rule.id)
    if (await onRevoke?.(rule)) heading.current?.focus()
    setLeaving(null)
  }

  return (
    <section aria-label={title}>
      <h3 ref={heading} tabIndex={-1} className="font-text text-lg wrap-anywhere outline-none" dir="auto">
        {title}
      </h3>
      {hint && <div className="text-sm text-muted wrap-anywhere">{hint}</div>}
      {rules.length === 0 && empty && <p className="mt-2 text-muted">{empty}</p>}
      {rules.length > 0 && (
        <ul aria-label={title} className="mt-2">
          {rules.map((rule, at) => (
            <li
              key={rule.id ?? at}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t py-2"
            >
              <RuleWords rule={rule} />
              {isGiven(rule) && onRevoke && (
                <Button
                  small
                  aria-label={words.revokeOf(actOf(rule), visibleText(rule.pattern))}
                  disabled={leaving === rule.id}
                  onClick={() => void revoke(rule)}
                >
                  {words.revoke}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function RuleWords({ rule }: { rule: ListedRule }) {
  const format = useFormat()
  const facts = [
    words.actions[rule.action],
    ...(rule.pinned ? [words.pinned] : []),
    ...(rule.boxed ? [words.boxed] : []),
    ...(rule.createdAt === null ? [] : [words.given(format.dateTime(rule.createdAt))]),
  ]
  return (
    <div className="min-w-0 grow basis-56">
      <p className="wrap-anywhere">
        {actOf(rule)} <code className="font-code text-sm">{visibleText(rule.pattern)}</code>
      </p>
      <p className={`text-sm ${rule.action === 'deny' ? 'text-danger' : 'text-muted'}`}>
        {facts.join(' · ')}
      </p>
    </div>
  )
}
