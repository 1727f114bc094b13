import { type FileChoice, isRunning } from '@palimpsest/core/domain'
import { ChangesList, type ChangesScope, FileParts, SidePanel } from '@palimpsest/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { SessionState } from '../session/session-state.ts'
import { useApp } from '../stores/app-context.tsx'
import { copyAndTell } from '../stores/copy-text.ts'
import { changesWords as words } from '../words/en-changes.ts'
import { useFileChanges } from './use-file-changes.ts'

export type ChangesPanelProps = {
  state: SessionState
  open: boolean
  /** The file that is shown first. */
  path: string | null
  onClose: () => void
}

/** The files that the chat has changed, beside the thread. */
export function ChangesPanel({ state, open, path, onClose }: ChangesPanelProps) {
  return (
    <SidePanel open={open} title={words.title} onClose={onClose}>
      {open && <OpenChanges key={path} state={state} path={path} />}
    </SidePanel>
  )
}

function OpenChanges({ state, path }: Pick<ChangesPanelProps, 'state' | 'path'>) {
  const { client, toasts } = useApp()
  const { sessionId } = state
  const [scope, setScope] = useState<ChangesScope>('chat')
  const disabled = isRunning(state.status)
  const runId = state.messages.findLast(({ role }) => role === 'assistant')?.metadata?.runId
  const which = { sessionId, ...(scope === 'turn' && runId !== undefined && { runId }) }
  const { data, refetch } = useQuery({
    queryKey: ['changes', which],
    queryFn: () => client().changes.list.query(which),
    refetchOnWindowFocus: 'always',
  })
  // A run, an operation of the history, and a person in an editor change files.
  const mark = `${disabled} ${state.historyMark} ${state.timeline[0]?.id}`
  useEffect(() => {
    if (mark !== '') void refetch()
  }, [mark, refetch])

  const change = useFileChanges(sessionId)
  const act = (...made: Parameters<typeof change>) => change(...made).then(() => refetch())
  const changed = data?.files.flatMap((file) => (file.change === 'unchanged' ? [] : [file.path])) ?? []

  return (
    <ChangesList
      words={words}
      files={data?.files ?? null}
      coverage={data?.coverage ?? 'all'}
      notKept={data?.notKept ?? []}
      conflicts={data?.conflicts ?? []}
      pending={data?.pending ?? null}
      scope={scope}
      onScope={setScope}
      disabled={disabled}
      opened={path}
      diffOf={(file) => (
        <ChangedFile
          which={which}
          path={file}
          disabled={disabled}
          onRevertPart={(hunk) =>
            void act(`revert ${file} ${hunk}`, () =>
              client().changes.revert.mutate({ ...which, hunks: [{ path: file, hunks: [hunk] }] }),
            )
          }
        />
      )}
      onRevert={(paths) =>
        void act(`revert ${paths?.join(' ')}`, () =>
          client().changes.revert.mutate({ ...which, paths: paths ?? changed }),
        )
      }
      onResolve={(operationId, file, choice: FileChoice) =>
        void act(`resolve ${file}`, () =>
          client().changes.resolve.mutate({ sessionId, operationId, files: [{ path: file, choice }] }),
        )
      }
      onSettle={(leave) =>
        void act('settle', () => client().changes.settle.mutate({ sessionId, ...(leave && { leave }) }))
      }
      onCopyPatch={() =>
        void toasts.guard(
          client()
            .changes.patch.query(which)
            .then(({ patch }) => copyAndTell(toasts, patch, words.patchCopied)),
        )
      }
    />
  )
}

type ChangedFileProps = {
  which: { sessionId: string; runId?: string }
  path: string
  disabled: boolean
  onRevertPart: (hunk: number) => void
}

/** The difference of one file, read when it is opened and each time that the list is. */
function ChangedFile({ which, path, ...parts }: ChangedFileProps) {
  const { client } = useApp()
  const { runId, sessionId } = which
  const queries = useQueryClient()
  const read = queries.getQueryState(['changes', which])?.dataUpdatedAt ?? 0
  const { data } = useQuery({
    queryKey: ['change', which, path, read],
    placeholderData: (before) => before,
    queryFn: () =>
      client().changes.diff.query({
        sessionId,
        path,
        ...(runId !== undefined && { from: { at: 'before-run', runId }, to: { at: 'now' } }),
      }),
  })
  return <FileParts words={words} change={data === undefined ? undefined : data.change} {...parts} />
}
