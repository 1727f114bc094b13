import type { ModelRef } from '@palimpsest/core/domain'
import { useCallback, useState } from 'react'
import type { SessionStore } from '../../session/session-store.ts'
import { shownMessages } from '../../session/thread-view.ts'
import { laterThanReply } from './later-than-reply.ts'
import { ReplyDialog } from './reply-dialog.tsx'
import type { AskedReply } from './use-history-commands.ts'

/** Another reply in the place of one; a dialog asks first when that hides later messages, with their number. */
export function useReplyAgain(store: SessionStore, reply: (messageId: string, model?: ModelRef) => void) {
  const [asked, setAsked] = useState<AskedReply | null>(null)
  const replyAgain = useCallback(
    (messageId: string, model?: ModelRef) => {
      const hides = laterThanReply(shownMessages(store.get()), messageId)
      if (hides === 0) reply(messageId, model)
      else setAsked({ messageId, hides, model })
    },
    [store, reply],
  )
  const dialog = <ReplyDialog asked={asked} onClose={() => setAsked(null)} onReply={reply} />
  return { replyAgain, dialog }
}
