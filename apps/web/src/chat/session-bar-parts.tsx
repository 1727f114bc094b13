import { BareBar, lazyModule, useLazy } from '@palimpsest/ui'
import type { SessionBarProps } from './session-bar.tsx'

/** The bar over a thread; a new chat has none. */
export const sessionBarParts = lazyModule(() => import('./session-bar.tsx'))

export function SessionBar(props: SessionBarProps) {
  const parts = useLazy(sessionBarParts)
  return parts === null ? <BareBar /> : <parts.SessionBar {...props} />
}
