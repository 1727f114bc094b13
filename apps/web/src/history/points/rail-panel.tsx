import {
  HistoryRail,
  PREVIEW_RESTORE_ID,
  type RailMark,
  type RailStop,
  useFormat,
  useMessages,
} from '@palimpsest/ui'
import { useMemo, useState } from 'react'
import { linesOf } from '../actions/prompts.ts'
import type { History } from '../use-history.tsx'
import { useQuestions } from '../use-questions.ts'
import { pointName } from './point-name.ts'
import { type RestorePoint, useRestorePoints } from './use-restore-points.ts'

const MARKS: Partial<Record<RestorePoint['reason'], RailMark>> = {
  message: 'message',
  edit: 'edit',
  regenerate: 'edit',
  branch: 'fork',
  summary: 'summary',
}

export type RailPanelProps = { history: History }

/** The history rail of a session; nothing while there is no earlier state. */
export function RailPanel({ history }: RailPanelProps) {
  const { state, previewed, preview } = history
  const words = useMessages().history
  const format = useFormat()
  const points = useRestorePoints(state, true)
  const [approached, setApproached] = useState(false)
  const { questions: asked } = useQuestions(state, approached)
  const stops = useMemo(() => {
    const lines = linesOf(state.messages, asked)
    const now = Date.now()
    return points.toReversed().map((point): RailStop => {
      const name = pointName(point, lines, words.timeline)
      const moment = format.moment(point.at, now)
      return {
        id: point.pointId,
        mark: MARKS[point.reason] ?? 'change',
        name: words.rail.at(name, moment, point.messages),
      }
    })
  }, [points, asked, state.messages, words, format])
  if (stops.length === 0) return null
  return (
    <HistoryRail
      stops={stops}
      previewed={previewed}
      onPreview={preview}
      onChoose={() => document.getElementById(PREVIEW_RESTORE_ID)?.focus()}
      onApproach={() => setApproached(true)}
    />
  )
}
