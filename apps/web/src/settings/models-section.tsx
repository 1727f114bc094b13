import type { ProviderView } from '@palimpsest/core/domain'
import { Button } from '@palimpsest/ui'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { settingsWords } from '../words/en-settings.ts'
import { OtherWays } from './other-ways.tsx'
import { ProviderCard } from './provider-card.tsx'
import { ProviderForm } from './provider-form.tsx'
import { type ProviderActions, useProviders } from './use-providers.ts'

const { models: words } = settingsWords

/** Providers: those that are set, a form for a new one, and the ways that need a restart. */
export function ModelsSection() {
  const { providers, actions } = useProviders()
  const [adding, setAdding] = useState(false)
  const [edited, setEdited] = useState<string | null>(null)
  const taken = (providers ?? []).map(({ id }) => id)
  const put: ProviderActions['put'] = (input) => {
    // A form that is open because there is no provider stays open until its test has succeeded.
    if (edited === null) setAdding(true)
    return actions.put(input)
  }
  const empty = providers !== null && providers.length === 0
  const form = (provider: ProviderView | null, close: () => void) => (
    <ProviderForm provider={provider} taken={taken} onPut={put} onClose={close} />
  )
  return (
    <div className="space-y-8">
      <p className="text-muted">
        {words.lead} {words.keyNote}
      </p>
      {providers === null && <p role="status">{words.loading}</p>}
      {providers !== null && !empty && (
        <ul aria-label={words.providers} className="space-y-2">
          {providers.map((provider) => (
            <li key={`${provider.source} ${provider.id}`}>
              {edited === provider.id && provider.source === 'settings' ? (
                form(provider, () => setEdited(null))
              ) : (
                <ProviderCard provider={provider} actions={actions} onEdit={() => setEdited(provider.id)} />
              )}
            </li>
          ))}
        </ul>
      )}
      {adding || empty
        ? form(null, () => setAdding(false))
        : providers !== null && (
            <Button onClick={() => setAdding(true)}>
              <Plus aria-hidden size={15} />
              {words.add}
            </Button>
          )}
      <OtherWays />
    </div>
  )
}
