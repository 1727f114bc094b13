import { lazyModule, ThreadSkeleton, useHeldKeys, useLazy } from '@palimpsest/ui'
import type { FindPanelProps } from './find/find-panel.tsx'
import type { HistoryDialogsProps } from './history-dialogs.tsx'
import type { HistoryPanelsProps } from './history-panels.tsx'
import type { PreviewPanelProps } from './points/preview-panel.tsx'
import type { RailPanelProps } from './points/rail-panel.tsx'
import type { TrayPointsProps } from './points/tray-points.tsx'

/** What opens beside, above and over the thread. */
export const historyParts = lazyModule(async () => {
  const [HistoryPanels, HistoryDialogs, FindPanel] = await Promise.all([
    import('./history-panels.tsx').then((module) => module.HistoryPanels),
    import('./history-dialogs.tsx').then((module) => module.HistoryDialogs),
    import('./find/find-panel.tsx').then((module) => module.FindPanel),
  ])
  return { HistoryPanels, HistoryDialogs, FindPanel }
})

export function HistoryPanels(props: HistoryPanelsProps) {
  const parts = useLazy(historyParts, props.history.view.panel !== null)
  return parts && <parts.HistoryPanels {...props} />
}

export function HistoryDialogs(props: HistoryDialogsProps) {
  const { dialog, modelSwitch, askedReply } = props.history
  const parts = useLazy(historyParts, dialog !== null || modelSwitch.asked || askedReply !== null)
  return parts && <parts.HistoryDialogs {...props} />
}

export function FindPanel(props: FindPanelProps) {
  const open = props.history.find.request > 0
  useHeldKeys(open)
  const parts = useLazy(historyParts, open)
  return open && parts && <parts.FindPanel {...props} />
}

/** The past beside and in the place of the thread; loaded once a thread has been drawn. */
export const pastParts = lazyModule(async () => {
  const [RailPanel, PreviewPanel, TrayPoints] = await Promise.all([
    import('./points/rail-panel.tsx').then((module) => module.RailPanel),
    import('./points/preview-panel.tsx').then((module) => module.PreviewPanel),
    import('./points/tray-points.tsx').then((module) => module.TrayPoints),
  ])
  return { RailPanel, PreviewPanel, TrayPoints }
})

/** The history rail: beside the thread on wide screens, and on request on narrow ones. */
export function Rail(props: RailPanelProps) {
  const { state, rail } = props.history
  const parts = useLazy(pastParts, state.phase === 'ready')
  return (
    <div
      className={`flex w-7 shrink-0 flex-col px-1 pt-header pb-6 coarse:w-11 ${rail ? '' : 'max-md:hidden'}`}
    >
      {parts && <parts.RailPanel {...props} />}
    </div>
  )
}

export function PreviewPanel(props: PreviewPanelProps) {
  const parts = useLazy(pastParts)
  return parts === null ? <ThreadSkeleton /> : <parts.PreviewPanel {...props} />
}

export function TrayPoints(props: TrayPointsProps) {
  const parts = useLazy(pastParts)
  return parts && <parts.TrayPoints {...props} />
}
