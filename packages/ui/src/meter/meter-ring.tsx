import { cx } from '../primitives/cx.ts'
import type { MeterLevel, MeterState } from './meter-state.ts'

const TONE: Record<MeterLevel, string> = {
  unknown: 'text-ghost',
  calm: 'text-muted',
  high: 'text-caution',
  full: 'text-danger',
}

const RADIUS = 7
const ROUND = 2 * Math.PI * RADIUS

/** A ring of 18 px that fills with the share used. */
export function MeterRing({ share, level }: MeterState) {
  const filled = ROUND * (share ?? 0)
  return (
    <svg
      aria-hidden="true"
      width="18"
      height="18"
      viewBox="0 0 18 18"
      fill="none"
      className={cx('-rotate-90', TONE[level])}
    >
      <circle
        cx="9"
        cy="9"
        r={RADIUS}
        stroke="var(--line-strong)"
        strokeWidth="2.5"
        strokeDasharray={level === 'unknown' ? '2 3' : undefined}
      />
      {share !== null && share > 0 && (
        <circle
          cx="9"
          cy="9"
          r={RADIUS}
          stroke="currentColor"
          strokeWidth="2.5"
          strokeLinecap="round"
          strokeDasharray={`${Math.max(filled, 0.5)} ${ROUND}`}
          className="transition-[stroke-dasharray] duration-(--duration-slow)"
        />
      )}
    </svg>
  )
}
