import { type ComponentProps, useState } from 'react'
import { useLazy } from '../lazy/use-lazy.ts'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Popover } from '../popups/popover.tsx'
import { Tooltip } from '../popups/tooltip.tsx'
import { cx } from '../primitives/cx.ts'
import type { ContextMeterProps } from './context-breakdown.tsx'
import { meterParts } from './meter-parts.ts'
import { MeterRing } from './meter-ring.tsx'
import { meterState, withKnownLimit } from './meter-state.ts'

/** How full the window is: a ring and percent; hover or focus shows used and limit, a click opens the breakdown. */
export function ContextMeter(props: ContextMeterProps) {
  const { onOpenChange, actions } = props
  const contextWindow = withKnownLimit(props.contextWindow)
  const { meter } = useMessages()
  const [pressed, setPressed] = useState(false)
  const open = pressed || props.open === true
  const parts = useLazy(meterParts, open)
  const drops = useDrops(contextWindow.used)
  const format = useFormat()
  const state = meterState(contextWindow)
  const used = format.tokens(contextWindow.used)
  const short = state.share === null ? used : format.percent(state.share)
  const text =
    contextWindow.limit === null
      ? meter.textUnknown(used)
      : meter.text(short, used, format.tokens(contextWindow.limit))
  const change = (next: boolean) => {
    setPressed(next)
    onOpenChange?.(next)
  }
  return (
    <Popover
      label={meter.heading}
      open={open}
      onOpenChange={change}
      reading
      align="end"
      className="max-h-(--available-height) w-80 overflow-y-auto p-4"
      trigger={
        <MeterButton text={text} aria-label={`${meter.label}: ${text}`}>
          {/* biome-ignore lint/a11y/useSemanticElements: a meter element can't hold the ring */}
          <span
            role="meter"
            aria-label={meter.label}
            aria-valuemin={0}
            aria-valuemax={contextWindow.limit ?? Math.max(1, contextWindow.used)}
            aria-valuenow={Math.min(contextWindow.used, contextWindow.limit ?? contextWindow.used)}
            aria-valuetext={text}
          >
            <MeterRing {...state} />
          </span>
          <span
            key={drops}
            className={cx(
              drops > 0 && 'pulse rounded-sm',
              state.level === 'full' && 'text-danger',
              state.level === 'high' && 'text-caution',
            )}
          >
            {short}
          </span>
        </MeterButton>
      }
    >
      {parts && <parts.ContextBreakdown {...props}>{actions?.(() => change(false))}</parts.ContextBreakdown>}
    </Popover>
  )
}

function MeterButton({ text, ...rest }: ComponentProps<'button'> & { text: string }) {
  return (
    <Tooltip content={text}>
      <button
        type="button"
        {...rest}
        className="inline-flex h-control min-w-control shrink-0 items-center justify-center gap-1.5 rounded-md px-2 text-xs text-muted tabular-nums transition hover:bg-wash hover:text-ink data-popup-open:bg-wash data-popup-open:text-ink"
      />
    </Tooltip>
  )
}

/** How often the window has been found clearly emptier: each time the figure pulses, so that no drop reads as a fault. */
function useDrops(used: number): number {
  const [seen, setSeen] = useState({ used, drops: 0 })
  if (seen.used !== used) {
    setSeen({ used, drops: used < seen.used * DROP ? seen.drops + 1 : seen.drops })
  }
  return seen.drops
}

/** A window with less than this share of its former tokens was summarised, pruned or rewound. */
const DROP = 0.9
