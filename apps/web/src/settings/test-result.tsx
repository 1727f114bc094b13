import type { ProviderTest } from '@palimpsest/core/domain'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { settingsWords } from '../words/en-settings.ts'

const { models: words } = settingsWords

/** The outcome of a test, announced when it comes. */
export function TestResult({ test }: { test: ProviderTest | null }) {
  return (
    <div role="status" className={test === null ? 'sr-only' : 'text-sm'}>
      {test !== null && (test.ok ? <Works count={test.models.length} /> : <Failed message={test.message} />)}
    </div>
  )
}

function Works({ count }: { count: number }) {
  return (
    <p className="flex items-start gap-1.5 text-good">
      <CircleCheck aria-hidden size={15} className="mt-0.5 shrink-0" />
      {count === 0 ? words.worksWithout : words.works(count)}
    </p>
  )
}

function Failed({ message }: { message: string }) {
  return (
    <p className="flex items-start gap-1.5 text-danger">
      <CircleAlert aria-hidden size={15} className="mt-0.5 shrink-0" />
      <span className="min-w-0 break-words">
        {words.failed} <q>{message}</q>
      </span>
    </p>
  )
}
