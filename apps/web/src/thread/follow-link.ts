import type { App } from '../stores/app.ts'
import { historyWords as words } from '../words/en-history.ts'

type Ports = Pick<App, 'client' | 'router' | 'toasts'>

/**
 * Opens the chat that holds a message which the address names and this chat lacks, such as another branch. One in the bin
 * is named with the way to restore it; a message that is nowhere is reported.
 */
export async function followLink(
  { client, router, toasts }: Ports,
  { sessionId, messageId }: { sessionId: string; messageId: string },
): Promise<void> {
  const located = await client()
    .session.locate.query({ sessionId, messageId })
    .catch(() => null)
  const route = router.get()
  if (route.sessionId !== sessionId || route.anchor !== messageId) return
  if (located?.found !== 'message' || located.session.id === sessionId) {
    toasts.add({ tone: 'info', message: words.messageNotHere })
    return
  }
  const { id, title, deletedAt } = located.session
  const open = () => router.replace({ sessionId: id, anchor: messageId })
  if (deletedAt === null) {
    open()
    const back = { label: words.back, onAction: () => router.push({ sessionId, anchor: null }) }
    toasts.add({ tone: 'info', message: words.messageElsewhere(title), action: back })
    return
  }
  const restore = async () => {
    if (await toasts.guard(client().session.restore.mutate({ sessionId: id }))) open()
  }
  const action = { label: words.restoreChat, onAction: () => void restore() }
  toasts.add({ tone: 'info', message: words.messageInBin(title), action })
}
