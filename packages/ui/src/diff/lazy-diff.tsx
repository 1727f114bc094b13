import type { FileChange } from '@palimpsest/core/domain'
import { lazyModule } from '../lazy/lazy-module.ts'
import { useLazy } from '../lazy/use-lazy.ts'

const diffView = lazyModule(() => import('./diff-view.tsx'))

/** A change of a file, whose view is loaded when it is first shown. */
export function LazyDiff(props: { change: FileChange }) {
  const loaded = useLazy(diffView)
  return loaded === null ? (
    <div aria-hidden className="h-24 rounded-md bg-inset" />
  ) : (
    <loaded.DiffView {...props} />
  )
}
