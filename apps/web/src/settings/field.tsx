import { type ComponentProps, type ReactNode, useId } from 'react'

const BOX =
  'w-full rounded-md border border-line-strong bg-raised px-3 text-base placeholder:text-faint focus:border-faint aria-[invalid=true]:border-danger'

export type FieldProps = {
  label: string
  /** Below the field, and read with it. */
  hint?: ReactNode
  /** What is wrong with the value. */
  problem?: string | null | undefined
}

/** Ids that tie a control to its label, hint and problem. */
function useDescribed({ hint, problem }: FieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return {
    id,
    aria: {
      'aria-invalid': problem ? true : undefined,
      'aria-describedby': described === '' ? undefined : described,
    },
  }
}

function Frame({ id, label, hint, problem, children }: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className="mt-1 text-sm text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}

export function TextField({ label, hint, problem, ...input }: FieldProps & ComponentProps<'input'>) {
  const { id, aria } = useDescribed({ label, hint, problem })
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <input
        {...aria}
        autoComplete="off"
        spellCheck={false}
        {...input}
        id={id}
        className={`${BOX} h-control`}
      />
    </Frame>
  )
}

export function TextArea({ label, hint, problem, ...area }: FieldProps & ComponentProps<'textarea'>) {
  const { id, aria } = useDescribed({ label, hint, problem })
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <textarea dir="auto" {...aria} {...area} id={id} className={`${BOX} resize-y py-2 leading-snug`} />
    </Frame>
  )
}

export function SelectField({ label, hint, problem, ...select }: FieldProps & ComponentProps<'select'>) {
  const { id, aria } = useDescribed({ label, hint, problem })
  return (
    <Frame id={id} label={label} hint={hint} problem={problem}>
      <select {...aria} {...select} id={id} className={`${BOX} h-control`} />
    </Frame>
  )
}

export type ChoiceProps<T extends string> = {
  label: string
  options: readonly T[]
  names: Readonly<Record<T, string>>
  value: T
  onChange: (value: T) => void
  hint?: string
}

/** One of a few, all in view. */
export function Choice<T extends string>({ label, options, names, value, onChange, hint }: ChoiceProps<T>) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="inline-flex max-w-full flex-wrap gap-0.5 rounded-md border border-line p-0.5">
        {options.map((option) => (
          <label
            key={option}
            className={`flex h-control cursor-pointer items-center rounded-sm px-3 text-base transition has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus ${
              option === value ? 'bg-wash-strong text-ink' : 'text-muted hover:bg-wash hover:text-ink'
            }`}
          >
            <input
              type="radio"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChange(option)}
              className="sr-only"
            />
            {names[option]}
          </label>
        ))}
      </div>
      {hint && <p className="mt-1 text-sm text-muted">{hint}</p>}
    </fieldset>
  )
}
