import { lazyModule, ThreadSkeleton, useLazy } from '@palimpsest/ui'
import type { MissingChatProps } from './missing-chat.tsx'

const missingChatParts = lazyModule(() => import('./missing-chat.tsx'))

/** The page of a chat that is not there, loaded when it is needed. */
export function MissingChat(props: MissingChatProps) {
  const parts = useLazy(missingChatParts)
  return parts === null ? <ThreadSkeleton /> : <parts.MissingChat {...props} />
}
