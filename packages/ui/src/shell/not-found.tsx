import { useMessages } from '../messages/messages-context.tsx'
import { type NotFoundProps, NotFoundView } from './not-found-view.tsx'

/** The page of an unknown address or a deleted session. */
export function NotFound({ homeHref }: NotFoundProps) {
  return <NotFoundView homeHref={homeHref} words={useMessages().notFound} />
}
