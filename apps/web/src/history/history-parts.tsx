import { lazyModule, useLazy } from '@palimpsest/ui'
import type { HistoryDialogsProps } from './history-dialogs.tsx'
import type { HistoryPanelsProps } from './history-panels.tsx'

/** What opens beside and over the thread. */
export const historyParts = lazyModule(async () => {
  const [HistoryPanels, HistoryDialogs] = await Promise.all([
    import('./history-panels.tsx').then((module) => module.HistoryPanels),
    import('./history-dialogs.tsx').then((module) => module.HistoryDialogs),
  ])
  return { HistoryPanels, HistoryDialogs }
})

export function HistoryPanels(props: HistoryPanelsProps) {
  const parts = useLazy(historyParts, props.history.view.panel !== null)
  return parts && <parts.HistoryPanels {...props} />
}

export function HistoryDialogs(props: HistoryDialogsProps) {
  const { dialog, modelSwitch, askedRewind } = props.history
  const parts = useLazy(historyParts, dialog !== null || modelSwitch.asked || askedRewind !== null)
  return parts && <parts.HistoryDialogs {...props} />
}
