// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { HistoryActions } from '../history/history-actions.tsx'
import { sampleModel, textMessage } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { stubMedia } from '../testing/stub-media.ts'
import { AssistantMessage } from './assistant-message.tsx'
import { UserMessage } from './user-message.tsx'

const names = (page: ReturnType<typeof show>) =>
  page.getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent)

type On = { onEdit: () => void; onRewind: () => void; onBranch: () => void; onLeaveOut?: () => void }

const extra = (on: On, leftOut = false) => (
  <HistoryActions onLeaveOut={() => undefined} {...on} leftOut={leftOut} rewindHint="hides 2 messages" />
)

test('UI-24 on narrow screens the actions of a question are Copy and a menu of the others', async () => {
  using _media = stubMedia(true)
  const on = { onEdit: vi.fn(), onRewind: vi.fn(), onBranch: vi.fn() }
  const actions = { linkFor: (id: string) => `/s/ses#${id}` }
  using page = show(
    <UserMessage message={textMessage('m', 'user', 'Hi')} actions={actions} extra={extra(on)} />,
  )
  expect(names(page)).toEqual(['Copy message', 'More actions'])
  fireEvent.click(page.getByRole('button', { name: 'More actions' }))
  const rewind = await page.findByRole('menuitem', { name: /^Rewind to here/ })
  expect(rewind.textContent).toBe('Rewind to herehides 2 messages')
  expect(page.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Edit and send again',
    'Rewind to herehides 2 messages',
    'Branch from here',
    'Leave out of the model’s view',
    'Copy link',
  ])
  fireEvent.click(rewind)
  expect(on.onRewind).toHaveBeenCalledOnce()
})

test('UI-24 on narrow screens the name of a reply’s model opens its details, and a menu gets another reply', async () => {
  using _media = stubMedia(true)
  const onRegenerate = vi.fn()
  const models = [sampleModel('opus'), sampleModel('mini')]
  const message = {
    ...textMessage('m', 'assistant', 'Hello'),
    metadata: { schemaVersion: 1, createdAt: 0, model: { providerId: 'acme', modelId: 'opus' } } as const,
  }
  using page = show(
    <AssistantMessage message={message} streaming={false} last models={models} actions={{ onRegenerate }} />,
  )
  expect(names(page)).toEqual(['Copy message', 'More actions', 'Details, opus'])
  fireEvent.click(page.getByRole('button', { name: 'Details, opus' }))
  expect((await page.findByRole('dialog', { name: 'Details' })).textContent).toContain('opus')
  fireEvent.click(page.getByRole('button', { name: 'More actions' }))
  fireEvent.click(await page.findByRole('menuitem', { name: 'Regenerate' }))
  expect(onRegenerate.mock.calls).toEqual([['m', undefined]])
})

test('UI-10 on wide screens every action is a button where there is no link', () => {
  using _media = stubMedia(false)
  const on = { onEdit: vi.fn(), onRewind: vi.fn(), onBranch: vi.fn() }
  using page = show(<UserMessage message={textMessage('m', 'user', 'Hi')} actions={{}} extra={extra(on)} />)
  expect(names(page)).toEqual([
    'Copy message',
    'Edit and send again',
    'Rewind to here',
    'Branch from here',
    'Leave out of the model’s view',
  ])
})

test('UI-44 on wide screens the rare actions are in a menu behind those of every day', async () => {
  using _media = stubMedia(false)
  const on = { onEdit: vi.fn(), onRewind: vi.fn(), onBranch: vi.fn() }
  const actions = { linkFor: (id: string) => `/s/ses#${id}` }
  using page = show(
    <UserMessage message={textMessage('m', 'user', 'Hi')} actions={actions} extra={extra(on)} />,
  )
  expect(names(page)).toEqual(['Copy message', 'Edit and send again', 'Rewind to here', 'More actions'])
  fireEvent.click(page.getByRole('button', { name: 'More actions' }))
  await page.findByRole('menuitem', { name: 'Copy link' })
  expect(page.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Branch from here',
    'Leave out of the model’s view',
    'Copy link',
  ])
})

test.each([
  [false, 'Leave out of the model’s view', true],
  [true, 'Bring back into the model’s view', false],
])('PR-5 of a message that is left out (%s) the action is “%s”', (leftOut, name, asked) => {
  using _media = stubMedia(false)
  const on = { onEdit: vi.fn(), onRewind: vi.fn(), onBranch: vi.fn(), onLeaveOut: vi.fn() }
  const message = textMessage('m', 'user', 'Hi')
  using page = show(<UserMessage message={message} actions={{}} extra={extra(on, leftOut)} />)
  fireEvent.click(page.getByRole('button', { name }))
  expect(on.onLeaveOut).toHaveBeenCalledExactlyOnceWith(asked)
})
