// @vitest-environment happy-dom
import type { PendingPermission } from '@palimpsest/core/domain'
import { act, fireEvent } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { ApproveAllCard } from './approve-all-card.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const permission = (id: string, command: string): PendingPermission => ({
  id,
  sessionId: 's',
  rootSessionId: 's',
  runId: 'r',
  messageId: 'm',
  toolCallId: id,
  createdAt: 0,
  tool: 'bash',
  args: { command },
  reason: 'No rule allows this.',
  patterns: ['git *', 'x'.repeat(300)],
})

/** Shows the card past its first moment; `below` is what of its content is out of view. */
function open({ commands = ['git add a', 'git add b', 'git add c'], below = 0 } = {}) {
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(100 + below)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(100)
  const calls: string[] = []
  const page = show(
    <ApproveAllCard
      permissions={commands.map((command, at) => permission(`p${at}`, command))}
      frame={{ more: 0, writing: false, ref: createRef(), onLeave: () => undefined }}
      busy={false}
      onAllow={() => calls.push('all')}
      onBack={() => calls.push('back')}
    />,
  )
  act(() => vi.advanceTimersByTime(500))
  return Object.assign(page, { calls })
}

test('UI-42 PE-8 all of what is allowed at once is shown, whole, before it is allowed', () => {
  using page = open()
  expect(page.getByRole('heading', { level: 2 }).textContent).toBe('Allow running these 3 commands?')
  for (const command of ['git add a', 'git add b', 'git add c']) expect(page.getByText(command)).toBeTruthy()
  expect(page.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'One by one1',
    'Allow all 3 once2',
  ])
  fireEvent.keyDown(document.body, { key: '2' })
  fireEvent.keyDown(document.body, { key: '1' })
  expect(page.calls).toEqual(['all', 'back'])
})

test('PE-8 calls whose end was not in view are not allowed, by the key neither', () => {
  using page = open({ below: 400 })
  expect(page.getByRole('button', { name: /^Allow all 3/ })).toHaveProperty('disabled', true)
  fireEvent.keyDown(document.body, { key: '2' })
  expect(page.calls).toEqual([])
})
