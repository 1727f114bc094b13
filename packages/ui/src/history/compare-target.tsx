import { useId } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'

export type Target = 'left' | 'both' | 'right'

export type CompareTargetProps = {
  names: { left: string; right: string }
  value: Target
  onChange: (target: Target) => void
}

/** Whom the one composer writes to. */
export function CompareTarget({ names, value, onChange }: CompareTargetProps) {
  const { compare } = useMessages().history
  const name = useId()
  const options: [Target, string][] = [
    ['left', names.left],
    ['both', compare.both],
    ['right', names.right],
  ]
  return (
    <fieldset className="flex min-w-0 items-center gap-3 border-line border-b px-4 py-1.5">
      <legend className="float-left mr-1 text-sm text-muted max-md:sr-only">{compare.sendTo}</legend>
      <div className="flex min-w-0 rounded-md bg-wash p-0.5">
        {options.map(([target, label]) => (
          <label
            key={target}
            className={cx(
              'cursor-pointer truncate rounded-sm px-2.5 py-1 text-sm transition has-focus-visible:outline-2 has-focus-visible:outline-focus coarse:py-2.5',
              target === 'both' ? 'shrink-0' : 'min-w-0',
              target === value ? 'bg-segment text-ink shadow-raised' : 'text-muted hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              checked={target === value}
              onChange={() => onChange(target)}
              className="sr-only"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
