import { type ChatMessage, isRunning, type SessionStatus } from '@palimpsest/core/domain'
import { useState } from 'react'
import type { Format } from '../format/format.ts'
import { budgetUseText } from '../message/budget-use.ts'
import { noticeFor } from '../message/notice.ts'
import type { Messages } from '../messages/en.ts'

import { useFormat, useMessages } from '../messages/messages-context.tsx'

/** That a run is tried again or waits for the person, or how it ended when it did not end well, in words; null otherwise, and of runs before. */
export function useOutcome(message: ChatMessage | undefined, status: SessionStatus): string | null {
  const words = useMessages()
  const format = useFormat()
  const [runId, setRunId] = useState<string | null>(null)
  if (isRunning(status) && status.runId !== runId) setRunId(status.runId)
  return runId === null ? null : tell(message, status, runId, words, format)
}

function tell(
  message: ChatMessage | undefined,
  status: SessionStatus,
  runId: string,
  words: Messages,
  format: Format,
): string | null {
  const { notice, thread } = words
  if (status.state === 'retrying') return `${notice.retrying(status.attempt)} ${status.message}`
  if (status.state === 'waiting') return thread.waiting[status.waitingOn]
  if (status.state === 'busy') return null
  if (status.state === 'error') return thread.outcome(`${notice.failed} ${status.message}`)
  if (message?.metadata?.runId !== runId || message.metadata.finishReason === undefined) return null
  const ended = message.role === 'assistant' ? noticeFor(message) : null
  const detail = ended?.budget ? budgetUseText(ended.budget, format, words) : ended?.detail
  return ended && thread.outcome([notice[ended.text], detail].filter(Boolean).join(' '))
}
