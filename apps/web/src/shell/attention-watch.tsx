import { useEffect } from 'react'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { attentionWords as words } from '../words/en-attention.ts'
import { markIcons } from './tell.ts'
import { useEndedUnseen } from './use-ended-unseen.ts'
import { useTell } from './use-tell.ts'
import { useWaiting } from './use-waiting.ts'
import { WaitingDialog } from './waiting-dialog.tsx'

/** Tells in title, icon and, after consent, by a notification that a chat waits or that a long reply has ended. */
export function AttentionWatch() {
  const { attention, router } = useApp()
  const { sessionId } = useStore(router)
  const waiting = useWaiting()
  const tell = useTell()
  const ended = useEndedUnseen((id, failed) => tell(id, id, failed ? words.failed : words.ended))

  useEffect(() => {
    for (const { asks, opens, name } of waiting) {
      for (const { id } of asks.permissions) tell(id, opens, words.approval, name)
      for (const { id } of asks.questions) tell(id, opens, words.answer, name)
    }
  }, [waiting, tell])

  const inChats = new Set([...waiting.map(({ opens }) => opens), ...ended])
  const count = inChats.size
  const elsewhere = count - (sessionId !== null && inChats.has(sessionId) ? 1 : 0)
  useEffect(() => {
    markIcons(count)
    attention.elsewhere.set(elsewhere)
  }, [attention, count, elsewhere])
  useEffect(
    () => () => {
      markIcons(0)
      attention.elsewhere.set(0)
    },
    [attention],
  )
  return (
    <WaitingDialog
      waiting={waiting}
      open={useStore(attention.listOpen)}
      onOpenChange={attention.listOpen.set}
    />
  )
}
