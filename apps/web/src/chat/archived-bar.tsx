import { Button, NoticeLine, useMessages } from '@palimpsest/ui'
import { useWorkspace } from '../list/workspace-context.tsx'
import { words } from '../words/en.ts'

/** Replaces the composer while a session is archived. */
export function ArchivedBar({ sessionId }: { sessionId: string }) {
  const { actions } = useWorkspace()
  const { sidebar } = useMessages()
  return (
    <div className="px-3 pb-3 md:px-0">
      <NoticeLine
        tone="neutral"
        text={words.archivedNotice}
        action={
          <Button small onClick={() => actions.onUnarchive(sessionId)}>
            {sidebar.unarchive}
          </Button>
        }
      />
    </div>
  )
}
