import { Button } from '@palimpsest/ui'
import type { ReactNode } from 'react'
import { LoadFailed } from '../agent/load-failed.tsx'
import { inspectWords as words } from '../words/en-inspect.ts'
import type { Inspected } from './use-inspection.ts'

export type InspectedListProps<T> = {
  list: Inspected<T>
  children: (items: readonly T[]) => ReactNode
}

/** What has been read, with the way to what came before it; in its place while there is nothing, why. */
export function InspectedList<T>({ list, children }: InspectedListProps<T>) {
  const { items, error, retry, earlier } = list
  if (items === null)
    return error ? <LoadFailed error={error} onRetry={retry} /> : <p role="status">{words.loading}</p>
  return (
    <div className="space-y-4">
      {earlier !== null && <Button onClick={earlier}>{words.earlier}</Button>}
      {items.length === 0 ? <p>{words.empty}</p> : children(items)}
    </div>
  )
}
