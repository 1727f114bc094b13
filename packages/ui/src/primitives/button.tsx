import type { ComponentProps } from 'react'
import { cx } from './cx.ts'

export type ButtonVariant = 'primary' | 'outline' | 'quiet' | 'danger'

const VARIANTS: Record<ButtonVariant, string> = {
  primary: 'bg-ink text-inverse hover:opacity-90',
  outline: 'border border-line-strong bg-raised text-ink hover:bg-wash',
  quiet: 'text-muted hover:bg-wash hover:text-ink',
  danger: 'bg-danger-fill text-danger-ink hover:opacity-90',
}

export type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant
  small?: boolean
}

export function Button({ variant = 'outline', small = false, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={cx(
        'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition disabled:opacity-45',
        small
          ? 'h-control-small min-w-control-small px-2.5 text-sm'
          : 'h-control min-w-control px-3 text-base',
        VARIANTS[variant],
        className,
      )}
    />
  )
}
