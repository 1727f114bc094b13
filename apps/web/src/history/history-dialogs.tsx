import { PromptList } from '@palimpsest/ui'
import { useMemo, useState } from 'react'
import { shownMessages } from '../session/thread-view.ts'
import { useRested } from '../state/use-rested.ts'
import { promptsOf } from './actions/prompts.ts'
import { ReplyDialog } from './actions/reply-dialog.tsx'
import { BudgetDialog } from './budget/budget-dialog.tsx'
import { useBudgetWarning } from './budget/use-budget-warning.ts'
import { QuestionsDialog } from './questions-dialog.tsx'
import { useRewindEffect } from './rewind/use-rewind-effect.ts'
import type { History } from './use-history.tsx'
import { TreeDialog } from './versions/tree-dialog.tsx'

/** Milliseconds that a message has to be pointed at before its files are counted. */
const REST_MS = 150

export type HistoryDialogsProps = {
  history: History
  onLoadOlder: () => void
  /** Continues the last reply. */
  onContinue: () => void
}

/** The dialogs of history: the list of prompts, the tree of branches, and the notice before a model switch. */
export function HistoryDialogs({ history, onLoadOlder, onContinue }: HistoryDialogsProps) {
  const { store, state, dialog, setDialog, change, commands, lineage, modelSwitch, askedReply, endAsking } =
    history
  useBudgetWarning(state, () => setDialog('budget'))
  const [pointed, setPointed] = useState<string | null>(null)
  const rested = useRested(pointed, REST_MS)
  const counted = state.keepsFiles && dialog === 'prompts' && rested === pointed
  const effect = useRewindEffect(store, counted ? pointed : null)
  const prompts = useMemo(
    () => (dialog === 'prompts' ? promptsOf(shownMessages(state)) : []),
    [dialog, state],
  )
  return (
    <>
      <PromptList
        open={dialog === 'prompts'}
        onOpenChange={(open) => setDialog(open ? 'prompts' : null)}
        prompts={prompts}
        restoresFiles={state.keepsFiles}
        files={effect?.files ?? null}
        onPoint={setPointed}
        onEdit={(editing) => change({ editing })}
        onRewind={commands.rewind}
        onLoadOlder={state.older.cursor === null ? undefined : onLoadOlder}
      />
      <QuestionsDialog
        state={state}
        open={dialog === 'questions'}
        onOpenChange={(open) => setDialog(open ? 'questions' : null)}
      />
      <TreeDialog
        open={dialog === 'tree'}
        onOpenChange={(open) => setDialog(open ? 'tree' : null)}
        lineage={lineage}
      />
      <BudgetDialog
        sessionId={state.sessionId}
        open={dialog === 'budget' || dialog === 'raise'}
        onOpenChange={(open) => open || setDialog(null)}
        onContinue={dialog === 'raise' ? onContinue : undefined}
      />
      <ReplyDialog asked={askedReply} onClose={endAsking} onReply={history.reply} />
      {modelSwitch.dialog}
    </>
  )
}
