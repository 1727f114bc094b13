import type { ModelVariant } from '@palimpsest/core/domain'
import { useId } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'

export type VariantChoiceProps = {
  variants: readonly ModelVariant[]
  value: string | undefined
  onChange: (variant: string | undefined) => void
}

/** Effort and the like: a row of choices, the model's default among them. */
export function VariantChoice({ variants, value, onChange }: VariantChoiceProps) {
  const { models } = useMessages()
  const name = useId()
  const options = [{ id: undefined, label: models.defaultVariant }, ...variants]
  return (
    <fieldset className="flex items-center gap-3 px-2.5">
      <legend className="float-left mr-3 text-sm text-muted">{models.variant}</legend>
      <div className="flex grow rounded-md bg-wash p-0.5">
        {options.map((option) => (
          <label
            key={option.id ?? ''}
            className={cx(
              'grow cursor-pointer rounded-sm px-2 py-1 text-center text-sm transition has-focus-visible:outline-2 has-focus-visible:outline-focus coarse:py-2.5',
              option.id === value ? 'bg-segment text-ink shadow-raised' : 'text-muted hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              checked={option.id === value}
              onChange={() => onChange(option.id)}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
