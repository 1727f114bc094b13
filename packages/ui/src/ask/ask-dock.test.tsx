// @vitest-environment happy-dom
import type { Answer, PendingPermission, PendingQuestion } from '@palimpsest/core/domain'
import { act, fireEvent } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { AskDock, type AskDockHandle, type ShownAsk } from './ask-dock.tsx'
import { EMPTY_ASK_DRAFT } from './ask-draft.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const ids = {
  sessionId: 's',
  rootSessionId: 's',
  runId: 'r',
  messageId: 'm',
  toolCallId: 'c',
  createdAt: 0,
}
const command = `find . -name '*.tmp' -delete && ${'echo a very long line; '.repeat(40)}true`
const permission: PendingPermission = {
  ...ids,
  id: 'per_1',
  tool: 'run',
  args: { timeout: 5, command, env: { CI: '1' } },
  reason: 'No rule allows this: command find.',
  patterns: [],
}
const question: PendingQuestion = {
  ...ids,
  id: 'qst_1',
  questions: [
    { question: 'Which way?', options: [{ label: 'Left', description: 'By the river' }, { label: 'Right' }] },
    { question: 'With what?', options: [{ label: 'Bread' }, { label: 'Salt' }], multiple: true },
  ],
}
const approval: ShownAsk = { kind: 'approval', permission }
const answer: ShownAsk = { kind: 'answer', question }

type Replies = { allowed: number; lasting: string[]; denied: string[]; answers: Answer[][]; left: number }

function Lab({ ask, busy = false, replies }: { ask: ShownAsk | null; busy?: boolean; replies: Replies }) {
  const [draft, setDraft] = useState(EMPTY_ASK_DRAFT)
  const [handle, setHandle] = useState<AskDockHandle | null>(null)
  return (
    <>
      <button type="button" onClick={() => handle?.focus()}>
        Go
      </button>
      <AskDock
        ref={setHandle}
        ask={ask}
        more={ask === approval ? 2 : 0}
        busy={busy}
        draft={draft}
        maxCharacters={100}
        onDraftChange={setDraft}
        onAllow={(scope, pattern) => {
          if (scope === 'once') replies.allowed += 1
          else replies.lasting.push(`${scope} ${pattern}`)
        }}
        onDeny={() => replies.denied.push(draft.reason)}
        onAnswer={(answers) => replies.answers.push(answers)}
        onRefuse={() => undefined}
        onLeave={() => {
          replies.left += 1
        }}
      />
    </>
  )
}

const newReplies = (): Replies => ({ allowed: 0, lasting: [], denied: [], answers: [], left: 0 })
const wait = () => act(() => vi.advanceTimersByTime(600))

function open(ask: ShownAsk) {
  const replies = newReplies()
  const page = show(<Lab ask={ask} replies={replies} />)
  const draw = (next: ShownAsk | null, busy = false) =>
    page.rerender(<Lab ask={next} busy={busy} replies={replies} />)
  const pressed = (name: string | RegExp) => fireEvent.click(page.getByRole('button', { name }))
  return Object.assign(page, { replies, draw, press: pressed })
}

test('UI-16 an approval shows the tool, the whole command first, every other argument, and why it is asked', () => {
  using page = open(approval)
  const card = page.getByRole('region', { name: 'Allow the call of run?' })
  const values = [...card.querySelectorAll('dd')].map(({ textContent }) => textContent)
  expect(values).toEqual([command, '{\n  "CI": "1"\n}', '5'])
  expect(card.textContent).toContain('No rule allows this: command find.')
  expect(card.textContent).toContain('2 more')
})

test('UI-16 a press made before the request appeared neither allows nor denies', () => {
  using page = open(approval)
  page.press('Allow once')
  page.press('Deny')
  expect(page.replies).toEqual(newReplies())
  wait()
  page.press('Allow once')
  expect(page.replies.allowed).toBe(1)
  page.draw({ kind: 'approval', permission: { ...permission, id: 'per_2' } })
  page.press('Allow once')
  expect(page.replies.allowed).toBe(1)
})

test('UI-16 a request takes no focus by itself; focus moved to it lands on no button', () => {
  using page = open(approval)
  wait()
  expect(document.activeElement).toBe(document.body)
  page.press('Go')
  expect(document.activeElement).toBe(page.getByRole('region', { name: /^Allow/ }))
})

test('UI-16 a denial has the reason that was entered, by button or by Enter, and Enter alone decides nothing', () => {
  using page = open(approval)
  wait()
  const field = page.getByRole('textbox', { name: 'Reason, if you deny' })
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(page.replies).toEqual(newReplies())
  fireEvent.change(field, { target: { value: 'Use the other folder' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  page.press('Deny')
  expect(page.replies).toMatchObject({ allowed: 0, denied: ['Use the other folder', 'Use the other folder'] })
})

const change = { path: 'src/a.ts', diff: '--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n', added: 1, removed: 1 }
const widened: ShownAsk = {
  kind: 'approval',
  permission: { ...permission, tool: 'edit', patterns: ['src/a.ts', 'src/*'], change },
}

test('UI-16 a change of a file is shown as its difference, in the place of the arguments', async () => {
  vi.useRealTimers()
  using page = open(widened)
  const view = await page.findByRole('region', { name: 'Changes of src/a.ts' })
  expect(view.textContent).toContain('−one+two')
  expect(page.queryByText('timeout')).toBeNull()
})

test('UI-16 a call is allowed for the chat or the project by the pattern that was chosen, the narrowest by default', () => {
  using page = open(widened)
  wait()
  page.press('In this chat')
  fireEvent.click(page.getByRole('radio', { name: 'src/*' }))
  page.press('In this folder')
  expect(page.replies.lasting).toEqual(['session src/a.ts', 'project src/*'])
  page.draw(approval)
  expect(page.queryByRole('button', { name: 'In this chat' })).toBeNull()
})

test('UI-16 a number key on the card gives the reply in its place, and none in a field or too early', () => {
  using page = open(widened)
  const card = page.getByRole('region', { name: /^Allow/ })
  fireEvent.keyDown(card, { key: '2' })
  wait()
  fireEvent.keyDown(page.getByRole('textbox'), { key: '2' })
  expect(page.replies).toEqual(newReplies())
  for (const key of ['1', '2', '3', '4', '5']) fireEvent.keyDown(card, { key })
  expect(page.replies).toMatchObject({
    allowed: 1,
    denied: [''],
    lasting: ['session src/a.ts', 'project src/a.ts'],
  })
})

test('UI-16 nothing can be decided while a reply is on its way', () => {
  using page = open(approval)
  wait()
  page.draw(approval, true)
  page.press('Allow once')
  page.press('Deny')
  expect(page.replies).toEqual(newReplies())
  expect(page.getByText('Sending your reply')).toBeTruthy()
})

test('UI-16 questions are answered by options, by several options and by own words, all at once', () => {
  using page = open(answer)
  wait()
  const submit = page.getByRole('button', { name: 'Answer' })
  expect(page.getByRole('group', { name: /Which way/ }).textContent).toContain('By the river')
  fireEvent.click(page.getByRole('radio', { name: /^Left/ }))
  expect(submit).toHaveProperty('disabled', true)
  expect(page.getByText('1 of 2 answered')).toBeTruthy()
  fireEvent.click(page.getByRole('checkbox', { name: 'Salt' }))
  fireEvent.click(page.getByRole('checkbox', { name: 'Something else…' }))
  const own = page.getByRole('textbox', { name: 'Your own answer: With what?' })
  fireEvent.change(own, { target: { value: 'Water' } })
  fireEvent.click(submit)
  expect(page.replies.answers).toEqual([[['Left'], ['Salt', 'Water']]])
})

test('UI-16 Esc leaves a request, which keeps what was entered', () => {
  using page = open(answer)
  fireEvent.click(page.getAllByRole('radio').at(-1) ?? document.body)
  const own = page.getByRole('textbox', { name: 'Your own answer: Which way?' })
  fireEvent.change(own, { target: { value: 'Straight on' } })
  const isUnused = fireEvent.keyDown(own, { key: 'Escape' })
  expect(isUnused).toBe(false)
  expect(page.replies.left).toBe(1)
  expect(own).toHaveProperty('value', 'Straight on')
})

test('UI-23 a focus inside goes on to the next request, and leaves with the last', () => {
  using page = open(approval)
  wait()
  page.getByRole('button', { name: 'Allow once' }).focus()
  page.draw(answer)
  expect(document.activeElement).toBe(page.getByRole('region', { name: '2 questions for you' }))
  page.draw(null)
  expect(page.replies.left).toBe(1)
})

test('UI-23 a request that goes while the focus is elsewhere leaves the focus there', () => {
  using page = open(approval)
  page.getByRole('button', { name: 'Allow once' }).focus()
  page.getByRole('button', { name: 'Go' }).focus()
  page.draw(null)
  expect(page.replies.left).toBe(0)
})

test('UI-16 a request of a subagent names its agent', () => {
  const replies: Replies = { allowed: 0, lasting: [], denied: [], answers: [], left: 0 }
  const ask: ShownAsk = { kind: 'approval', permission: { ...permission, subagent: 'explore' } }
  using page = show(<Lab ask={ask} replies={replies} />)
  expect(page.container.textContent).toContain('subagent explore')
})
