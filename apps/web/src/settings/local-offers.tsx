import { Button } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../list/workspace-context.tsx'
import { useModels } from '../model/use-models.ts'
import { useApp } from '../stores/app-context.tsx'
import { settingsWords } from '../words/en-settings.ts'
import { KNOWN_PROVIDERS, type KnownProvider } from './known-providers.ts'
import { draftOfKnown, toInput } from './provider-draft.ts'
import type { ProviderActions } from './use-providers.ts'

const { models: words } = settingsWords

export type LocalOffersProps = { taken: readonly string[]; put: ProviderActions['put'] }

/** The programs that run on this machine with at least one model, each with one press that uses it. */
export function LocalOffers({ taken, put }: LocalOffersProps) {
  const { client, toasts } = useApp()
  const { newChat } = useWorkspace()
  const found = useModels()?.models ?? []
  const vllm = useVllm(taken)
  const [adding, setAdding] = useState(false)
  const running = KNOWN_PROVIDERS.flatMap((known) => {
    const models = known.local ? found.filter(({ providerId }) => providerId === known.id) : []
    return models[0] === undefined ? [] : [{ known, count: models.length, first: models[0] }]
  })

  async function use({ providerId, modelId }: { providerId: string; modelId: string }): Promise<void> {
    const chosen = client().settings.set.mutate({ defaultModel: { providerId, modelId } })
    if (await toasts.guard(chosen)) newChat()
  }

  async function add(known: KnownProvider): Promise<void> {
    setAdding(true)
    await toasts.guard(put(toInput(draftOfKnown(known), null, taken)))
    setAdding(false)
  }

  return (
    <>
      {running.map(({ known, count, first }) => (
        <Offer
          key={known.id}
          name={known.label}
          count={count}
          act={words.chatWith(known.label)}
          onAct={() => void use(first)}
        />
      ))}
      {vllm !== null && (
        <Offer
          name={vllm.known.label}
          count={vllm.count}
          act={words.addLocal(vllm.known.label)}
          busy={adding}
          onAct={() => void add(vllm.known)}
        />
      )}
    </>
  )
}

type OfferProps = { name: string; count: number; act: string; busy?: boolean; onAct: () => void }

function Offer({ name, count, act, busy = false, onAct }: OfferProps) {
  return (
    <article
      aria-label={name}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line px-4 py-3"
    >
      <p className="min-w-0 grow basis-60">
        <span className="font-medium">{words.runs(name)}</span>{' '}
        <span className="text-muted">{words.count(count)}</span>
      </p>
      <Button small variant="primary" disabled={busy} onClick={onAct}>
        {act}
      </Button>
    </article>
  )
}

/** The server of vLLM, which is not looked for by itself, where it answers at its usual port and is not entered. */
function useVllm(taken: readonly string[]): { known: KnownProvider; count: number } | null {
  const { client } = useApp()
  const known = KNOWN_PROVIDERS.find(({ id }) => id === 'vllm')
  const { data } = useQuery({
    queryKey: ['vllm'],
    enabled: known !== undefined && !taken.includes('vllm'),
    gcTime: 0,
    queryFn: () =>
      client().provider.test.mutate({ kind: 'openai-compatible', baseURL: known?.baseURL ?? null }),
  })
  if (known === undefined || taken.includes('vllm') || data?.ok !== true || data.models.length === 0)
    return null
  return { known, count: data.models.length }
}
