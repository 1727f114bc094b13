import { ChangesPanel } from './changes-panel.tsx'
import { TimelinePanel } from './points/timeline-panel.tsx'
import { SidePanelQuestion } from './side/side-panel-question.tsx'
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
