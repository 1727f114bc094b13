import type { Client } from '@palimpsest/client'
import type { Session } from '@palimpsest/core/domain'

/** Messages of a version that are read to count and name it. */
const READ = 200

/** The newest messages of a version; asked for again once the session has changed. */
export function versionQuery(client: () => Client, session: Session, enabled: boolean) {
  return {
    queryKey: ['version', session.id, session.revision],
    enabled,
    queryFn: () => client().session.messages.query({ sessionId: session.id, limit: READ }),
  }
}
