import { BUDGET_LIMITS, BUDGET_SCOPES, type BudgetLimit, type SessionBudget } from '@palimpsest/core/domain'
import { Button, Dialog, useFormat, useMessages } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useApp } from '../../stores/app-context.tsx'
import { historyWords } from '../../words/en-history.ts'
import { type BudgetDraft, draftOf, limitsOf, shownLimit } from './budget-draft.ts'

export type BudgetDialogProps = {
  sessionId: string
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Continues the reply that the budget ended, once it is raised; undefined without one. */
  onContinue?: (() => void) | undefined
}

/** What a chat may spend, and has spent. */
export function BudgetDialog({ sessionId, open, onOpenChange, onContinue }: BudgetDialogProps) {
  const { client } = useApp()
  const { budget: words } = historyWords
  const toRaise = useRef<HTMLInputElement>(null)
  const { data } = useQuery({
    queryKey: ['budget', sessionId],
    enabled: open,
    queryFn: () => client().budget.get.query({ sessionId }),
    gcTime: 0,
    staleTime: 0,
  })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={words.title}
      description={words.lead}
      initialFocus={toRaise}
      className="max-w-[28rem]"
    >
      {data && (
        <BudgetForm
          sessionId={sessionId}
          budget={data}
          toRaise={toRaise}
          onContinue={data.reached === null ? undefined : onContinue}
          onClose={() => onOpenChange(false)}
        />
      )}
    </Dialog>
  )
}

type FormProps = Pick<BudgetDialogProps, 'sessionId' | 'onContinue'> & {
  budget: SessionBudget
  /** The field of the limit that is reached. */
  toRaise: RefObject<HTMLInputElement | null>
  onClose: () => void
}

function BudgetForm({ sessionId, budget, toRaise, onContinue, onClose }: FormProps) {
  const { client, toasts } = useApp()
  const { history } = useMessages()
  const { budget: words } = historyWords
  const [draft, setDraft] = useState<BudgetDraft>(() => draftOf(budget.own))
  const [saving, setSaving] = useState(false)
  const limits = limitsOf(draft)
  const { reached } = budget
  // The budget may come after the dialog has focused something else.
  useEffect(() => {
    toRaise.current?.focus()
    toRaise.current?.select()
  }, [toRaise])
  async function save(event: FormEvent) {
    event.preventDefault()
    if (limits === null || saving) return
    setSaving(true)
    const saved = await toasts.guard(client().budget.set.mutate({ sessionId, limits }))
    setSaving(false)
    if (!saved) return
    onClose()
    onContinue?.()
  }
  return (
    <form onSubmit={save} className="overflow-y-auto px-5 pt-3 pb-5">
      <table className="w-full text-base">
        <thead>
          <tr className="text-left text-sm text-muted">
            <th className="py-1 font-normal">{words.limit}</th>
            {BUDGET_SCOPES.toReversed().map((scope) => (
              <th key={scope} className="w-28 py-1 pl-2 font-normal">
                {words.scopes[scope]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {BUDGET_LIMITS.map((limit) => (
            <tr key={limit} className="align-top">
              <th className="py-1.5 text-left font-normal">
                {words.limits[limit]}
                <Spent limit={limit} budget={budget} />
              </th>
              {BUDGET_SCOPES.toReversed().map((scope) => (
                <td key={scope} className="py-1 pl-2">
                  <input
                    {...(reached?.scope === scope && reached.limit === limit && { ref: toRaise })}
                    aria-label={`${words.limits[limit]}: ${words.scopes[scope]}`}
                    aria-invalid={limitsOf({ [scope]: { [limit]: draft[scope]?.[limit] ?? '' } }) === null}
                    inputMode="decimal"
                    autoComplete="off"
                    placeholder={words.placeholder(shownLimit(limit, budget.limits[scope][limit] ?? null))}
                    value={draft[scope]?.[limit] ?? ''}
                    onChange={({ target }) =>
                      setDraft({ ...draft, [scope]: { ...draft[scope], [limit]: target.value } })
                    }
                    className="h-control w-full rounded-md border border-line-strong bg-raised px-2 text-base placeholder:text-faint focus:border-faint aria-[invalid=true]:border-danger"
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {limits === null && (
        <p role="alert" className="pt-2 text-sm text-danger">
          {words.wrong}
        </p>
      )}
      <div className="flex justify-end gap-2 pt-4">
        <Button variant="quiet" onClick={onClose}>
          {history.close}
        </Button>
        <Button type="submit" variant="primary" disabled={limits === null || saving}>
          {onContinue === undefined ? words.save : words.saveAndContinue}
        </Button>
      </div>
    </form>
  )
}

function Spent({ limit, budget: { spent } }: { limit: BudgetLimit; budget: SessionBudget }) {
  const format = useFormat()
  const amount = {
    max_tokens: format.count(spent.tokens),
    max_cost: format.cost(spent.costUsd),
    max_tool_calls: format.count(spent.toolCalls),
    max_duration: format.duration(spent.durationMs),
  }[limit]
  return <span className="block text-sm text-muted">{historyWords.budget.spent(amount)}</span>
}
