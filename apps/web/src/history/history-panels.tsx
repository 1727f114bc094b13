import { ChangesPanel } from './changes-panel.tsx'
import { SidePanelQuestion } from './side-panel-question.tsx'
import { TimelinePanel } from './timeline-panel.tsx'
import type { History } from './use-history.tsx'

export type HistoryPanelsProps = { history: History }

/** What opens beside the thread: the timeline, the changed files, or a question on the side. */
export function HistoryPanels({ history }: HistoryPanelsProps) {
  const { state, view, change, commands, models, preview } = history
  return (
    <>
      <TimelinePanel
        state={state}
        commands={commands}
        onPreview={preview}
        open={view.panel === 'timeline'}
        onClose={() => change({ panel: null })}
      />
      <ChangesPanel
        state={state}
        open={view.panel === 'changes'}
        path={history.changed}
        onClose={() => change({ panel: null })}
      />
      <SidePanelQuestion state={state} view={view} change={change} commands={commands} models={models} />
    </>
  )
}
