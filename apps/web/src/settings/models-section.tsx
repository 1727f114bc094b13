import { Button } from '@palimpsest/ui'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { settingsWords } from '../words/en-settings.ts'
import type { KnownProvider } from './known-providers.ts'
import { LocalOffers } from './local-offers.tsx'
import { OtherWays } from './other-ways.tsx'
import { ProviderCard } from './provider-card.tsx'
import { ProviderChoice } from './provider-choice.tsx'
import { ProviderForm } from './provider-form.tsx'
import { type ProviderActions, useProviders } from './use-providers.ts'

const { models: words } = settingsWords

/** What is added: nothing, a name that is to be chosen, or a provider of this name (null for a server of another kind). */
type Adding = 'nothing' | 'choice' | { known: KnownProvider | null }

/** Providers: those that are set, a choice of names for a new one, and the ways that need a restart. */
export function ModelsSection() {
  const { providers, actions } = useProviders()
  const [asked, setAdding] = useState<Adding>('nothing')
  const [edited, setEdited] = useState<string | null>(null)
  const taken = (providers ?? []).map(({ id }) => id)
  const empty = providers !== null && providers.length === 0
  const adding = providers === null ? null : empty && asked === 'nothing' ? 'choice' : asked
  return (
    <div className="space-y-8">
      <p className="text-muted">
        {words.lead} {words.keyNote}
      </p>
      {providers === null && <p role="status">{words.loading}</p>}
      {providers !== null && <LocalOffers taken={taken} put={actions.put} />}
      {providers !== null && !empty && (
        <ul aria-label={words.providers} className="space-y-2">
          {providers.map((provider) => (
            <li key={`${provider.source} ${provider.id}`}>
              {edited === provider.id && provider.source === 'settings' ? (
                <ProviderForm
                  provider={provider}
                  known={null}
                  taken={taken}
                  onPut={actions.put}
                  onClose={() => setEdited(null)}
                />
              ) : (
                <ProviderCard provider={provider} actions={actions} onEdit={() => setEdited(provider.id)} />
              )}
            </li>
          ))}
        </ul>
      )}
      {adding !== null && <Adder {...{ adding, setAdding, empty, taken }} onPut={actions.put} />}
      {providers !== null && <OtherWays />}
    </div>
  )
}

type AdderProps = {
  adding: Adding
  setAdding: (adding: Adding) => void
  /** There is no provider yet. */
  empty: boolean
  taken: readonly string[]
  onPut: ProviderActions['put']
}

function Adder({ adding, setAdding, empty, taken, onPut }: AdderProps) {
  if (adding === 'nothing')
    return (
      <Button onClick={() => setAdding('choice')}>
        <Plus aria-hidden size={15} />
        {words.add}
      </Button>
    )
  const close = () => setAdding('nothing')
  if (adding === 'choice')
    return <ProviderChoice onChoose={(known) => setAdding({ known })} onClose={empty ? undefined : close} />
  return <ProviderForm provider={null} known={adding.known} taken={taken} onPut={onPut} onClose={close} />
}
