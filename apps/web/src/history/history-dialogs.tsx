import { PromptList } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { shownMessages } from '../session/thread-view.ts'
import { useApp } from '../shell/app-context.tsx'
import { promptsOf } from './prompts.ts'
import { TreeDialog } from './tree-dialog.tsx'
import type { History } from './use-history.tsx'

export type HistoryDialogsProps = { history: History; onLoadOlder: () => void }

/** What opens over the page: the list of prompts, the tree of branches, word of what a model switch does. */
export function HistoryDialogs({ history, onLoadOlder }: HistoryDialogsProps) {
  const { state, dialog, setDialog, change, commands, lineage, modelSwitch } = history
  const { client } = useApp()
  const { data: system } = useQuery({
    queryKey: ['system'],
    enabled: dialog === 'prompts',
    queryFn: () => client().system.info.query(),
  })
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
        restoresFiles={system?.snapshots ?? false}
        onEdit={(editing) => change({ editing })}
        onRewind={commands.rewind}
        onLoadOlder={state.older.cursor === null ? undefined : onLoadOlder}
      />
      <TreeDialog
        open={dialog === 'tree'}
        onOpenChange={(open) => setDialog(open ? 'tree' : null)}
        lineage={lineage}
      />
      {modelSwitch.dialog}
    </>
  )
}
