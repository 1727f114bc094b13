import type { ComponentProps, ReactNode } from 'react'
import { cx } from '../primitives/cx.ts'
import { Tooltip, type TooltipProps } from './tooltip.tsx'

export type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label'> & {
  /** Accessible name, and the tooltip's text. */
  label: string
  /** Shown beside the label in the tooltip, such as the shortcut. */
  hint?: ReactNode
  small?: boolean
  tooltipSide?: TooltipProps['side']
}

/** A square button with an icon and its name in a tooltip. */
export function IconButton({ label, hint, small = false, tooltipSide, className, ...rest }: IconButtonProps) {
  const content = hint === undefined ? label : <TooltipLine label={label} hint={hint} />
  return (
    <Tooltip content={content} side={tooltipSide ?? 'top'}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={cx(
          'inline-flex shrink-0 items-center justify-center rounded-md text-muted transition hover:bg-wash hover:text-ink disabled:pointer-events-none disabled:opacity-40 data-popup-open:bg-wash data-popup-open:text-ink',
          small ? 'size-control-small' : 'size-control',
          className,
        )}
      />
    </Tooltip>
  )
}

function TooltipLine({ label, hint }: { label: string; hint: ReactNode }) {
  return (
    <span className="flex items-center gap-2">
      {label} {hint}
    </span>
  )
}
