import { CLIENT_ID_PATTERN } from '@palimpsest/core/domain'
import { notFound } from 'next/navigation'

type InspectPageProps = { params: Promise<{ sessionId: string }> }

/** What is stored of a session; see the layout. */
export default async function InspectPage({ params }: InspectPageProps) {
  const { sessionId } = await params
  if (!CLIENT_ID_PATTERN.test(sessionId)) notFound()
  return null
}
