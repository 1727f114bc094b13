import { FoldVertical, PackageMinus, Wallet } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'

export type ContextActionsProps = {
  /** True while a run or a summary is in progress. */
  disabled: boolean
  onCompact: () => void
  onPrune: () => void
  onBudget: () => void
}

/** Actions that free tokens of the context window, shown under the meter's breakdown. */
export function ContextActions({ disabled, onCompact, onPrune, onBudget }: ContextActionsProps) {
  const { contextActions } = useMessages().history
  return (
    <div className="-mx-2 border-line border-t pt-2">
      <Action
        icon={<FoldVertical aria-hidden size={15} />}
        label={contextActions.compact}
        hint={contextActions.compactHint}
        disabled={disabled}
        onChoose={onCompact}
      />
      <Action
        icon={<PackageMinus aria-hidden size={15} />}
        label={contextActions.prune}
        hint={contextActions.pruneHint}
        disabled={disabled}
        onChoose={onPrune}
      />
      <Action
        icon={<Wallet aria-hidden size={15} />}
        label={contextActions.budget}
        hint={contextActions.budgetHint}
        disabled={false}
        onChoose={onBudget}
      />
    </div>
  )
}

type ActionProps = { icon: ReactNode; label: string; hint: string; disabled: boolean; onChoose: () => void }

function Action({ icon, label, hint, disabled, onChoose }: ActionProps) {
  return (
    <button
      type="button"
      disabled={disabled}
      onClick={onChoose}
      className="flex w-full gap-2.5 rounded-md px-2 py-1.5 text-left transition hover:bg-wash disabled:opacity-45 coarse:min-h-11"
    >
      <span className="pt-0.5 text-rubric">{icon}</span>
      <span>
        <span className="block font-medium">{label}</span>
        <span className="block text-xs text-muted">{hint}</span>
      </span>
    </button>
  )
}
