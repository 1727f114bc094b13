import type { PendingPermission } from '@palimpsest/core/domain'
import { act, fireEvent } from '@testing-library/react'
import { createRef } from 'react'
import { vi } from 'vitest'
import { ApprovalCard, type ApprovalCardProps } from '../ask/approval-card.tsx'
import { show } from './show.tsx'

const permission: PendingPermission = {
  sessionId: 's',
  rootSessionId: 's',
  runId: 'r',
  messageId: 'm',
  toolCallId: 'c',
  createdAt: 0,
  id: 'per_1',
  tool: 'bash',
  args: { command: 'git push' },
  reason: 'No rule allows this.',
  patterns: ['git push', 'git *', '*'],
}

/**
 * Shows the card of a permission, past its first moment unless `armed` is false; `calls` are what its controls have called. Needs
 * fake timers.
 */
export function showApproval(
  facts: Partial<PendingPermission> = {},
  props: Partial<ApprovalCardProps> = {},
  { armed = true } = {},
) {
  const calls: string[] = []
  const all: ApprovalCardProps = {
    permission: { ...permission, ...facts },
    frame: { more: 0, ref: createRef(), onLeave: () => calls.push('leave') },
    busy: false,
    reason: '',
    pattern: undefined,
    maxCharacters: 20,
    onReasonChange: (reason) => calls.push(`reason ${reason}`),
    onPatternChange: (pattern) => calls.push(`pattern ${pattern}`),
    onAllow: (scope, pattern) => calls.push(pattern === undefined ? scope : `${scope} ${pattern}`),
    onDeny: () => calls.push('deny'),
    ...props,
  }
  const page = show(<ApprovalCard {...all} />)
  if (armed) act(() => vi.advanceTimersByTime(500))
  const card = page.getByRole('region', { name: /^Allow/ })
  return Object.assign(page, {
    calls,
    card,
    press: (key: string) => fireEvent.keyDown(card, { key }),
    labels: () => page.getAllByRole('button').map(({ textContent }) => textContent?.replace(/\d$/, '')),
    /** Which of the replies can be given. */
    replies: () =>
      page
        .getAllByRole('button', { name: /^(Deny|Allow once|In this)/ })
        .map((button) => button instanceof HTMLButtonElement && !button.disabled),
  })
}
