import { isRunning } from '@palimpsest/core/domain'
import {
  CompareTarget,
  Composer,
  type ComposerHandle,
  QueueChips,
  type SendMode,
  type Target,
  useMessages,
} from '@palimpsest/ui'
import { useRef, useState } from 'react'
import { AskPanel } from '../composer/ask-panel.tsx'
import { draftParts } from '../composer/draft-parts.ts'
import { queueActions } from '../composer/queue-actions.ts'
import { queueOf } from '../composer/queue-of.ts'
import { queuePause } from '../composer/queue-pause.ts'
import { sendAs } from '../composer/send-as.ts'
import { UnsentNotices } from '../composer/unsent-notices.tsx'
import { useDraft } from '../composer/use-draft.ts'
import { useShortcuts } from '../stores/use-shortcuts.ts'
import { words } from '../words/en.ts'
import type { Compared } from './use-compared.tsx'

export type CompareComposerProps = {
  left: Compared
  right: Compared
  names: { left: string; right: string }
  /** Called with where a message is sent to. */
  onSent: (target: Target) => void
}

/** One composer for both: the same words go to the left, to the right, or to both, each with its own model. */
export function CompareComposer({ left, right, names, onSent }: CompareComposerProps) {
  const { compare } = useMessages().history
  const [target, setTarget] = useState<Target>('both')
  const field = useRef<ComposerHandle>(null)
  const focusField = () => field.current?.focus()
  const draft = useDraft(`compare-${left.state.sessionId}-${right.state.sessionId}`)
  const sides = { left: [left], right: [right], both: [left, right] }[target]
  const running = sides.filter(({ state }) => isRunning(state.status))
  const stop = () => {
    for (const { commands } of running) commands.stop()
  }
  useShortcuts([{ keys: 'esc', label: words.shortcuts.stop, run: stop }])

  function send(mode: SendMode): void {
    const parts = draftParts(draft.draft)
    if (parts.length === 0) return
    draft.clear()
    onSent(target)
    for (const side of sides) sendAs(side, { parts, model: side.state.session?.model ?? null }, mode)
  }

  return (
    <>
      {(['left', 'right'] as const).map((which) => {
        const { store, state } = { left, right }[which]
        return (
          <UnsentNotices
            key={which}
            to={names[which]}
            sessionId={state.sessionId}
            outgoing={state.outgoing}
            onRetry={store.retry}
            onDiscard={store.discard}
          />
        )
      })}
      <AskPanel state={left.state} of={names.left} onLeave={focusField} />
      <AskPanel state={right.state} of={names.right} onLeave={focusField} />
      <Composer
        ref={field}
        value={draft.draft.text}
        onValueChange={draft.write}
        attachments={draft.attachments}
        onAttach={draft.attach}
        onRemoveAttachment={draft.detach}
        onInsertText={draft.insertText}
        running={running.length > 0}
        placeholder={compare.placeholder(target === 'both' ? compare.both.toLowerCase() : names[target])}
        onSend={send}
        onStop={stop}
        autoFocus
        above={
          <>
            {(['left', 'right'] as const).map((which) => {
              const { state, commands } = { left, right }[which]
              const queue = queueOf(state)
              const actions = queueActions(queue, commands, draft.add)
              const onStopAll = isRunning(state.status) ? commands.stopAll : undefined
              const chips = { queue, actions, of: names[which], paused: queuePause(state), onStopAll }
              return <QueueChips key={which} {...chips} />
            })}
            <CompareTarget names={names} value={target} onChange={setTarget} />
          </>
        }
      />
    </>
  )
}
