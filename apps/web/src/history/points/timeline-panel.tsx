import type { ChatMessage } from '@palimpsest/core/domain'
import { type SentPoint, SidePanel, TimelineList, useMessages, usePanelIsSheet } from '@palimpsest/ui'
import { useMemo } from 'react'
import type { SessionState } from '../../session/session-state.ts'
import { isSummary } from '../../session/summary.ts'
import { useApp } from '../../stores/app-context.tsx'
import { lineOf } from '../actions/prompts.ts'
import type { HistoryCommands } from '../actions/use-history-commands.ts'
import { CancelledMessages } from './cancelled-messages.tsx'
import { useCancelled } from './use-cancelled.ts'
import { useRestorePoints } from './use-restore-points.ts'

export type TimelinePanelProps = {
  state: SessionState
  commands: HistoryCommands
  /** Shows the state before an operation or a message, without a change. */
  onPreview: (pointId: string) => void
  open: boolean
  onClose: () => void
}

/** The timeline beside the thread. */
export function TimelinePanel({ state, commands, onPreview, open, onClose }: TimelinePanelProps) {
  const { router } = useApp()
  const { history } = useMessages()
  const isSheet = usePanelIsSheet()
  const { sessionId, messages, timeline } = state
  const known = useMemo(() => new Map(messages.map((message) => [message.id, message])), [messages])
  const hidden = useMemo(() => hiddenByOperation(messages), [messages])
  const points = useRestorePoints(state, open)
  const reasons = useMemo(() => new Map(points.map(({ pointId, reason }) => [pointId, reason])), [points])
  const textOf = (messageId: string) => {
    const message = known.get(messageId)
    return message === undefined ? null : lineOf(message)
  }
  const sent = useMemo(
    () =>
      points.flatMap(({ pointId, reason, at }): SentPoint[] => {
        const message = known.get(pointId)
        return reason === 'message' ? [{ pointId, at, text: message ? lineOf(message) : null }] : []
      }),
    [points, known],
  )
  const cancelled = useCancelled(sessionId, open, state.queue)
  return (
    <SidePanel open={open} title={history.timeline.title} onClose={onClose}>
      <div className="min-h-0 grow overflow-y-auto">
        {(timeline.length + sent.length > 0 || cancelled.messages.length === 0) && (
          <TimelineList
            entries={timeline}
            sent={sent}
            textOf={textOf}
            hiddenBy={(operationId) => hidden.get(operationId) ?? []}
            onUndo={commands.undo}
            reasonOf={(operationId) => reasons.get(operationId) ?? null}
            onRestoreTo={commands.restoreTo}
            onPreview={(pointId) => {
              if (isSheet) onClose()
              onPreview(pointId)
            }}
            onGoTo={(anchor) => {
              if (isSheet) onClose()
              router.replace({ sessionId, anchor })
            }}
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
