import { Button } from '@palimpsest/ui'
import { useId } from 'react'
import { settingsWords } from '../words/en-settings.ts'
import { KNOWN_PROVIDERS, type KnownProvider } from './known-providers.ts'

const { models: words } = settingsWords

export type ProviderChoiceProps = {
  /** Null for a server of another kind. */
  onChoose: (known: KnownProvider | null) => void
  /** Absent while there is no provider to go back to. */
  onClose: (() => void) | undefined
}

/** Adding a model begins with the names that people know; a server of another kind comes last. */
export function ProviderChoice({ onChoose, onClose }: ProviderChoiceProps) {
  const services = KNOWN_PROVIDERS.filter(({ local }) => !local)
  const programs = KNOWN_PROVIDERS.filter(({ local }) => local)
  return (
    <section aria-label={words.add} className="space-y-4 rounded-lg border border-line bg-raised px-4 py-4">
      <h3 className="font-medium">{words.choose}</h3>
      <Names label={words.services} names={services} onChoose={onChoose} />
      <Names label={words.programs} names={programs} onChoose={onChoose} />
      <div className="flex flex-wrap gap-2">
        <Button variant="quiet" onClick={() => onChoose(null)}>
          {words.otherServer}
        </Button>
        {onClose && <Button onClick={onClose}>{words.cancel}</Button>}
      </div>
    </section>
  )
}

type NamesProps = {
  label: string
  names: readonly KnownProvider[]
  onChoose: (known: KnownProvider) => void
}

function Names({ label, names, onChoose }: NamesProps) {
  const id = useId()
  return (
    <div>
      <p id={id} className="mb-1.5 text-sm text-muted">
        {label}
      </p>
      <ul aria-labelledby={id} className="grid grid-cols-2 gap-1.5 md:grid-cols-4">
        {names.map((known) => (
          <li key={known.id}>
            <Button className="w-full" onClick={() => onChoose(known)}>
              {known.label}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
