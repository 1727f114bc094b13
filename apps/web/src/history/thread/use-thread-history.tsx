import type { ChatMessage, FileChoices, ModelInfo, ModelRef } from '@palimpsest/core/domain'
import { HiddenHeader, HistoryTrace, type MessageExtras, MessageVersions, useMessages } from '@palimpsest/ui'
import { useCallback, useMemo, useRef, useState } from 'react'
import { forksOf, type Lineage } from '../../session/forks.ts'
import type { InputPart } from '../../session/input-part.ts'
import type { SessionState } from '../../session/session-state.ts'
import type { SessionStore } from '../../session/session-store.ts'
import { isSummary } from '../../session/summary.ts'
import { allMessages, shownMessages } from '../../session/thread-view.ts'
import { useApp } from '../../stores/app-context.tsx'
import type { HistoryView } from '../../stores/history-memory.ts'
import type { HistoryCommands } from '../actions/use-history-commands.ts'
import type { ChangeView } from '../actions/use-history-view.ts'
import { useRewindEffect } from '../rewind/use-rewind-effect.ts'
import { wayBack } from '../rewind/way-back.ts'
import { useMessageVersions } from '../versions/use-message-versions.ts'
import { findSpot, firstHidden, toggled, withCovers } from './reveal.ts'
import { createRowActions } from './thread-extras.tsx'
import { hiddenWhere, type Trace, threadLayout } from './thread-layout.ts'
import { EditorPanel, ForkSwitch, SummaryDivider } from './thread-parts.tsx'

export type ThreadHistoryInput = {
  store: SessionStore
  state: SessionState
  view: HistoryView
  change: ChangeView
  commands: HistoryCommands
  lineage: Lineage | null
  models: readonly ModelInfo[]
  model: ModelRef | null
  onReplace: (
    messageId: string,
    parts: InputPart[],
    model: ModelRef | null,
    files: FileChoices,
  ) => Promise<boolean>
  onTree: () => void
}

/** A thread as history lays it out: its messages in reading order, and the elements between them. */
export function useThreadHistory(input: ThreadHistoryInput) {
  const { store, state, view, change, commands, lineage, models, model, onReplace, onTree } = input
  const { messages: stored, live, timeline, older } = state
  const partial = older.cursor !== null
  const loaded = useMemo(() => allMessages({ messages: stored, live }), [stored, live])
  const revealed = useMemo(() => new Set(view.revealed), [view.revealed])
  const layout = useMemo(
    () => threadLayout({ loaded, partial, revealed, timeline }),
    [loaded, partial, revealed, timeline],
  )
  const covers = useRef(layout.covers)
  covers.current = layout.covers
  // Forks don't move while a reply streams.
  const forks = useMemo(() => {
    const shown = shownMessages({ messages: stored, live: null })
    const found = lineage === null ? [] : forksOf(lineage, shown)
    return { shown, byMessage: new Map(found.map((fork) => [fork.messageId, fork])) }
  }, [lineage, stored])
  const rowActions = useMemo(
    () =>
      createRowActions({
        onEdit: (editing) => change({ editing }),
        onRewind: (editing) => change({ editing }),
        rewindHint: (messageId) => <RewindHint store={store} messageId={messageId} />,
        onBranch: (messageId) => commands.branch(messageId),
        onLeaveOut: (messageId, leaveOut) =>
          leaveOut ? commands.leaveOut(messageId) : commands.bringBack(messageId),
        onRestore: ({ id, metadata }) =>
          commands.restoreHidden(covers.current.get(id) ?? metadata?.hiddenBy ?? ''),
      }),
    [commands, change, store],
  )
  const { router } = useApp()
  // Closing a summary also hides the messages that it showed.
  const turnOpen = useCallback(
    (messageId: string, operationId: string, open: boolean) => {
      const others = view.opened.filter((id) => id !== messageId)
      if (open) change({ opened: [...others, messageId] })
      else change({ opened: others, revealed: view.revealed.filter((id) => id !== operationId) })
    },
    [view, change],
  )
  const reveal = useCallback(
    (operationIds: readonly string[]) => {
      const next = toggled(view.revealed, operationIds)
      change({ revealed: next.revealed })
      const first = next.shown ? firstHidden(store.get().messages, operationIds, covers.current) : null
      if (first !== null) router.replace({ sessionId: store.get().sessionId, anchor: first.id })
    },
    [view.revealed, change, store, router],
  )

  const spotOf = useCallback(
    (messageId: string) => findSpot(messageId, { loaded, layout, revealed }),
    [loaded, layout, revealed],
  )
  const uncover = useCallback(
    (operationIds: readonly string[]) =>
      change({ revealed: [...new Set([...view.revealed, ...operationIds])] }),
    [view.revealed, change],
  )

  const versions = useMessageVersions(state)
  const [stepped, setStepped] = useState<string | null>(null)
  const endStep = useCallback(() => setStepped(null), [])
  const stepTo = useCallback(
    (messageId: string, toMessageId: string | undefined) => {
      if (toMessageId === undefined) return
      setStepped(toMessageId)
      commands.switchVersion(messageId, toMessageId)
    },
    [commands],
  )

  const extras = useMemo<MessageExtras>(() => {
    const renderTrace = (trace: Trace | undefined | null) =>
      trace && (
        <TraceLine trace={trace} timeline={timeline} onToggle={reveal} onRestore={commands.restoreTo} />
      )
    return {
      ...rowActions,
      before: ({ id }) => renderTrace(layout.traces.get(id)),
      over: ({ id, metadata }) => {
        const by = layout.covers.get(id) ?? metadata?.hiddenBy
        return by === undefined ? null : <HiddenHeader onRestore={() => commands.restoreHidden(by)} />
      },
      after: ({ id, role }) => {
        const fork = forks.byMessage.get(id)
        const found = versions.get(id)
        return (
          <>
            {found && (
              <MessageVersions
                author={role}
                current={found.current}
                total={found.messageIds.length}
                focused={stepped === id}
                onFocused={endStep}
                onSelect={(index) => stepTo(id, found.messageIds[index])}
              />
            )}
            {fork && lineage && (
              <ForkSwitch fork={fork} lineage={lineage} shown={forks.shown} onTree={onTree} />
            )}
          </>
        )
      },
      instead: (message: ChatMessage) => {
        if (isSummary(message)) {
          const operationId = message.metadata?.compactionId ?? ''
          return (
            <SummaryDivider
              message={message}
              timeline={timeline}
              open={view.opened.includes(message.id) || revealed.has(operationId)}
              onOpenChange={(open) => turnOpen(message.id, operationId, open)}
              originals={revealed.has(operationId)}
              onToggleOriginals={() => reveal([operationId])}
              onUndo={commands.uncompact}
            />
          )
        }
        if (message.id !== view.editing) return null
        return (
          <EditorPanel
            message={message}
            store={store}
            models={models}
            model={model}
            onSend={(parts, chosen, files) => onReplace(message.id, parts, chosen, files)}
            onRewind={(files) => {
              change({ editing: null })
              commands.rewind(message.id, files)
            }}
            onClose={() => change({ editing: null })}
          />
        )
      },
    }
  }, [
    rowActions,
    layout.traces,
    layout.covers,
    timeline,
    reveal,
    commands,
    forks,
    versions,
    stepped,
    stepTo,
    endStep,
    lineage,
    onTree,
    revealed,
    view,
    turnOpen,
    store,
    models,
    model,
    onReplace,
    change,
  ])

  const endTrace = layout.endTrace && (
    <div className="mx-auto max-w-column px-4 pb-6 md:px-0">
      <TraceLine
        trace={layout.endTrace}
        timeline={timeline}
        onToggle={reveal}
        onRestore={commands.restoreTo}
      />
    </div>
  )
  const totalAt = (operationIds: readonly string[]) => hiddenWhere(layout, operationIds)
  const shownWith = (operationIds: readonly string[]) => withCovers(operationIds, loaded, layout.covers)
  return { messages: layout.messages, extras, end: endTrace, reveal, totalAt, shownWith, spotOf, uncover }
}

/** The effect of the rewind button, shown beside its name and counted when it is first shown. */
function RewindHint({ store, messageId }: { store: SessionStore; messageId: string }) {
  const { prompts } = useMessages().history
  const effect = useRewindEffect(store, messageId)
  if (effect === null) return null
  const files = effect.files ? [prompts.restores(effect.files)] : []
  return <span className="text-muted">{[prompts.hides(effect.hides), ...files].join(' · ')}</span>
}

type TraceLineProps = {
  trace: Trace
  timeline: SessionState['timeline']
  onToggle: (operationIds: readonly string[]) => void
  onRestore: (operationId: string) => void
}

function TraceLine({ trace, timeline, onToggle, onRestore }: TraceLineProps) {
  const latest = timeline.find(
    ({ id, kind, canUndo }) =>
      canUndo && (kind === 'rewind' || kind === 'unrewind') && trace.operationIds.includes(id),
  )
  return (
    <HistoryTrace
      count={trace.count}
      more={trace.more ?? false}
      revealed={trace.revealed}
      onToggle={() => onToggle(trace.operationIds)}
      onRestore={latest && (() => onRestore(wayBack(timeline, latest).pointId))}
    />
  )
}
