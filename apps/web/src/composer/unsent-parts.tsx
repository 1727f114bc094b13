import { lazyModule, useLazy } from '@palimpsest/ui'
import type { UnsentNoticesProps } from './unsent-notices.tsx'

/** Loaded once a message is on its way. */
export const unsentParts = lazyModule(() => import('./unsent-notices.tsx'))

export function UnsentNotices(props: UnsentNoticesProps) {
  const parts = useLazy(unsentParts, props.outgoing.length > 0)
  return parts && <parts.UnsentNotices {...props} />
}
