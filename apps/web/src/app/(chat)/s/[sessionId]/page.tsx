import { CLIENT_ID_PATTERN } from '@palimpsest/core/domain'
import { notFound } from 'next/navigation'

type SessionPageProps = { params: Promise<{ sessionId: string }> }

/** One session; see the layout. Here only addresses that can be none are turned away. */
export default async function SessionPage({ params }: SessionPageProps) {
  const { sessionId } = await params
  if (!CLIENT_ID_PATTERN.test(sessionId)) notFound()
  return null
}
