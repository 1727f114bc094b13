import type { ProviderTest, ProviderView } from '@palimpsest/core/domain'
import { Button, ConfirmDialog } from '@palimpsest/ui'
import { useState } from 'react'
import { useApp } from '../stores/app-context.tsx'
import { settingsWords } from '../words/en-settings.ts'
import { TestResult } from './test-result.tsx'
import type { ProviderActions } from './use-providers.ts'

const { models: words } = settingsWords

export type ProviderCardProps = { provider: ProviderView; actions: ProviderActions; onEdit: () => void }

/** A provider: what it is, where it is set, and what can be done with it. */
export function ProviderCard({ provider, actions, onEdit }: ProviderCardProps) {
  const { toasts } = useApp()
  const { id, label, kind, baseURL, source, hasKey, problem } = provider
  const [test, setTest] = useState<ProviderTest | null>(null)
  const [testing, setTesting] = useState(false)
  const [removing, setRemoving] = useState(false)
  const count = new Set([...provider.models, ...provider.listed]).size
  const facts = [
    hasKey ? words.hasKey : words.noKey,
    ...(source === 'settings' && (count > 0 || baseURL !== null) ? [words.count(count)] : []),
    words.source[source],
  ]

  async function runTest() {
    setTesting(true)
    setTest(null)
    await toasts.guard(actions.test(id).then(setTest))
    setTesting(false)
  }

  return (
    <article aria-label={label} className="flex flex-col gap-2 rounded-lg border border-line px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 grow basis-60">
          <h3 className="font-medium" dir="auto">
            {label}
          </h3>
          <p className="truncate text-sm text-muted" title={baseURL ?? undefined}>
            {words.kinds[kind]} · {baseURL ?? words.ownAddress}
          </p>
          <p className="text-sm text-muted">{facts.filter((fact) => fact !== '').join(' · ')}</p>
        </div>
        <div className="flex flex-wrap gap-1.5">
          <Button small disabled={testing} onClick={() => void runTest()}>
            {testing ? words.testing : words.test}
          </Button>
          {source === 'settings' && (
            <>
              <Button small onClick={onEdit}>
                {words.edit}
              </Button>
              <Button small onClick={() => setRemoving(true)}>
                {words.remove}
              </Button>
            </>
          )}
        </div>
      </div>
      {problem !== null && <p className="text-sm text-caution">{words.problems[problem]}</p>}
      <TestResult test={test} />
      <ConfirmDialog
        danger
        open={removing}
        onOpenChange={setRemoving}
        title={words.removeTitle(label)}
        description={words.removeBody}
        confirmLabel={words.remove}
        onConfirm={() =>
          void toasts.guard(
            actions.remove(id).then(() => void toasts.add({ tone: 'info', message: words.removed(label) })),
          )
        }
      />
    </article>
  )
}
