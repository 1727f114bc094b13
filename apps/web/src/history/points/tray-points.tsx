import { MenuItem, MenuSeparator, useFormat, useMessages } from '@palimpsest/ui'
import { useMemo } from 'react'
import type { SessionState } from '../../session/session-state.ts'
import { linesOf } from '../actions/prompts.ts'
import { pointName } from './point-name.ts'
import { useRestorePoints } from './use-restore-points.ts'

export type TrayPointsProps = {
  state: SessionState
  onRestoreTo: (pointId: string) => void
  /** Opens the timeline, which has all points. */
  onMore: () => void
}

/** Points that the menu has; the timeline has the others. */
const SHOWN = 6

/** The latest restore points, as items of a menu. */
export function TrayPoints({ state, onRestoreTo, onMore }: TrayPointsProps) {
  const { timeline, tray } = useMessages().history
  const format = useFormat()
  const points = useRestorePoints(state, true)
  const known = useMemo(() => linesOf(state.messages), [state.messages])
  return (
    <>
      {points.length === 0 && <p className="px-2.5 py-1.5 text-sm text-muted">{tray.loading}</p>}
      {points.slice(0, SHOWN).map((point) => (
        <MenuItem key={point.pointId} onSelect={() => onRestoreTo(point.pointId)}>
          <span className="max-w-72 min-w-0 grow truncate">
            <span className="inline-block first-letter:uppercase">{pointName(point, known, timeline)}</span>
          </span>
          <span className="shrink-0 text-xs text-muted tabular-nums">
            {format.moment(point.at, Date.now())}
          </span>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={onMore}>{tray.more}</MenuItem>
    </>
  )
}
