import type { ChatMessage } from '@palimpsest/core/domain'
import { SidePanel, TimelineList, useMessages } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SessionState } from '../session/session-state.ts'
import { isSummary } from '../session/summary.ts'
import { useApp } from '../stores/app-context.tsx'
import { CancelledMessages } from './cancelled-messages.tsx'
import { lineOf } from './prompts.ts'
import { useCancelled } from './use-cancelled.ts'
import type { HistoryCommands } from './use-history-commands.ts'

export type TimelinePanelProps = {
  state: SessionState
  commands: HistoryCommands
  open: boolean
  onClose: () => void
}

/** The timeline beside the thread. */
export function TimelinePanel({ state, commands, open, onClose }: TimelinePanelProps) {
  const { router, client } = useApp()
  const { history } = useMessages()
  const { sessionId, messages, timeline } = state
  const known = useMemo(() => new Map(messages.map((message) => [message.id, message])), [messages])
  const hidden = useMemo(() => hiddenByOperation(messages), [messages])
  const { data: points } = useQuery({
    queryKey: ['restore-points', sessionId, timeline[0]?.id],
    enabled: open && timeline.length > 0,
    placeholderData: (before) => before,
    queryFn: () => client().session.restorePoints.query({ sessionId }),
  })
  const reasons = new Map(points?.map(({ pointId, reason }) => [pointId, reason]))
  const cancelled = useCancelled(sessionId, open, state.queue)
  return (
    <SidePanel open={open} title={history.timeline.title} onClose={onClose}>
      <div className="min-h-0 grow overflow-y-auto">
        {(timeline.length > 0 || cancelled.messages.length === 0) && (
          <TimelineList
            entries={timeline}
            textOf={(messageId) => {
              const message = known.get(messageId)
              return message === undefined ? null : lineOf(message)
            }}
            hiddenBy={(operationId) => hidden.get(operationId) ?? []}
            onUndo={commands.undo}
            reasonOf={(operationId) => reasons.get(operationId) ?? null}
            onRestoreTo={commands.restoreTo}
            onGoTo={(anchor) => router.replace({ sessionId, anchor })}
            onOpenBranch={(branchId) => router.push({ sessionId: branchId, anchor: null })}
          />
        )}
        <CancelledMessages
          messages={cancelled.messages}
          onRestore={cancelled.restore}
          onMore={cancelled.more}
        />
      </div>
    </SidePanel>
  )
}

function hiddenByOperation(messages: readonly ChatMessage[]): Map<string, ChatMessage[]> {
  return Map.groupBy(
    messages.filter((message) => message.metadata?.hiddenBy !== undefined && !isSummary(message)),
    ({ metadata }) => metadata?.hiddenBy ?? '',
  )
}
