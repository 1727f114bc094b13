import { isRunning, type ModelInfo } from '@palimpsest/core/domain'
import { SidePanel, useMessages } from '@palimpsest/ui'
import { useCallback, useState } from 'react'
import type { InputPart } from '../../session/input-part.ts'
import type { SessionState } from '../../session/session-state.ts'
import { shownMessages } from '../../session/thread-view.ts'
import { useApp } from '../../stores/app-context.tsx'
import type { HistoryView } from '../../stores/history-memory.ts'
import type { HistoryCommands } from '../actions/use-history-commands.ts'
import type { ChangeView } from '../actions/use-history-view.ts'
import { SideComposer } from './side-composer.tsx'
import { SideThread } from './side-thread.tsx'

export type SidePanelQuestionProps = {
  state: SessionState
  view: HistoryView
  change: ChangeView
  commands: HistoryCommands
  models: readonly ModelInfo[]
}

/** A question about the thread that does not touch it; its session is made by the first message. */
export function SidePanelQuestion({ state, view, change, commands, models }: SidePanelQuestionProps) {
  const { side } = useMessages().history
  const { sessions } = useApp()
  const [making, setMaking] = useState(false)
  const busy = isRunning(state.status)
  const shown = shownMessages(state)
  const last = shown.at(-1)
  const forget = useCallback(() => change({ side: null }), [change])

  async function begin(parts: InputPart[]): Promise<boolean> {
    if (last === undefined) return false
    setMaking(true)
    const made = await commands.branchAside(last.id)
    setMaking(false)
    if (made === null) return false
    sessions.of(made.id, false).send({ parts, model: made.model, steer: false })
    change({ side: made.id })
    return true
  }

  return (
    <SidePanel open={view.panel === 'side'} title={side.title} onClose={() => change({ panel: null })}>
      <p className="shrink-0 border-line border-b px-4 py-2 text-sm text-muted">{side.lead(shown.length)}</p>
      {view.side !== null ? (
        <SideThread key={view.side} sideId={view.side} models={models} onGone={forget} />
      ) : (
        <>
          <p className="flex grow items-center justify-center px-10 text-center text-balance text-muted">
            {busy ? side.waits : side.empty}
          </p>
          <SideComposer
            draftKey={`side-${state.sessionId}`}
            running={false}
            disabled={making || last === undefined || busy}
            onSend={begin}
            onStop={() => undefined}
          />
        </>
      )}
    </SidePanel>
  )
}
