// @vitest-environment happy-dom
import type { ProviderTest, ProviderView } from '@palimpsest/core/domain'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { createApp } from '../stores/app.ts'
import { AppProvider } from '../stores/app-context.tsx'
import { settingsWords } from '../words/en-settings.ts'
import { ProviderCard } from './provider-card.tsx'

afterEach(cleanup)

const { models: words } = settingsWords

const provider: ProviderView = {
  id: 'mine',
  kind: 'openai-compatible',
  label: 'Mine',
  baseURL: 'http://127.0.0.1:9/v1',
  hasKey: true,
  source: 'settings',
  models: ['a', 'b'],
  listed: ['b', 'c'],
  problem: null,
}

function showCard(patch: Partial<ProviderView> = {}) {
  const tests: PromiseWithResolvers<ProviderTest>[] = []
  const removals: PromiseWithResolvers<void>[] = []
  const onEdit = vi.fn()
  const app = createApp('/settings/models', () => {
    throw new Error('A card calls nothing by itself.')
  })
  const actions = {
    put: vi.fn<() => Promise<ProviderTest>>(),
    test: vi.fn((_id: string) => {
      const answer = Promise.withResolvers<ProviderTest>()
      tests.push(answer)
      return answer.promise
    }),
    remove: vi.fn((_id: string) => {
      const answer = Promise.withResolvers<void>()
      removals.push(answer)
      return answer.promise
    }),
  }
  render(
    <AppProvider value={app}>
      <ProviderCard provider={{ ...provider, ...patch }} actions={actions} onEdit={onEdit} />
    </AppProvider>,
  )
  const card = screen.getByRole('article')
  return {
    actions,
    card,
    onEdit,
    tests,
    removals,
    toasts: () => app.toasts.get().map(({ tone, message }) => `${tone}: ${message}`),
  }
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const paragraphs = (card: HTMLElement) =>
  [...card.querySelectorAll('p')].map(({ textContent }) => textContent)

test('UI-31 a card counts a model once that was entered and is listed too', () => {
  expect(paragraphs(showCard().card)).toEqual([
    'OpenAI-compatible server · http://127.0.0.1:9/v1',
    'Key stored · 3 models',
  ])
})

test.for([
  [{ models: [], listed: [] }, 'Key stored · No models listed'],
  [{ models: ['a'], listed: ['a'], hasKey: false }, 'No key · 1 model'],
  [{ models: [], listed: [], baseURL: null }, 'Key stored'],
  [{ source: 'environment' }, 'Key stored · Set in the environment'],
  [{ source: 'file', hasKey: false }, 'No key · Set in the configuration file'],
] satisfies [Partial<ProviderView>, string][])(
  'UI-31 a card with %o says whether there is a key, how many models, and where it is set',
  ([patch, facts]) => {
    expect(paragraphs(showCard(patch).card)[1]).toBe(facts)
  },
)

test('UI-31 a provider without an address of its own is at the one of its kind', () => {
  const { card } = showCard({ kind: 'google', baseURL: null })
  expect(paragraphs(card)[0]).toBe('Google · Its own address')
  expect(card.querySelector('[title]')).toBeNull()
})

test('UI-31 an address that is cut off can be read whole', () => {
  const baseURL = `https://models.example/${'long/'.repeat(80)}v1`
  expect(showCard({ baseURL }).card.querySelector('[title]')?.getAttribute('title')).toBe(baseURL)
})

test.for(['key-missing', 'key-unreadable', 'overridden'] as const)(
  'UI-31 a provider that is not used says why: %s',
  (problem) => {
    expect(paragraphs(showCard({ problem }).card)).toContain(words.problems[problem])
  },
)

test('UI-31 the name of a provider is text, in its own direction', () => {
  const { card } = showCard({ label: 'מעבדה <img src=x>' })
  expect(within(card).getByRole('heading').getAttribute('dir')).toBe('auto')
  expect(card.getAttribute('aria-label')).toBe('מעבדה <img src=x>')
  expect(card.querySelector('img')).toBeNull()
})

test.for(['environment', 'file'] as const)(
  'UI-31 a provider that is set in the %s can be tested, but not changed here',
  (source) => {
    const { card } = showCard({ source })
    const names = within(card)
      .getAllByRole('button')
      .map(({ textContent }) => textContent)
    expect(names).toEqual(['Test'])
  },
)

test('UI-31 a test says that it runs and cannot be started twice', async () => {
  const { actions, tests } = showCard()
  press('Test')
  const running = screen.getByRole<HTMLButtonElement>('button', { name: 'Testing' })
  expect(running.disabled).toBe(true)
  fireEvent.click(running)
  expect(actions.test.mock.calls).toEqual([['mine']])
  tests[0]?.resolve({ ok: true, models: ['a'] })
  await screen.findByText('It works: 1 model.')
  expect(screen.getByRole('status').textContent).toBe('It works: 1 model.')
  await screen.findByRole('button', { name: 'Test' })
})

test('UI-31 the outcome of a test is gone while the next one runs', async () => {
  const { tests } = showCard()
  press('Test')
  tests[0]?.resolve({ ok: false, message: '503' })
  await screen.findByText('503')
  press('Test')
  expect(screen.getByRole('status').textContent).toBe('')
  tests[1]?.resolve({ ok: true, models: Array.from({ length: 1_200 }, (_, at) => `m${at}`) })
  await screen.findByText('It works: 1,200 models.')
})

test('UI-4 a test that cannot be asked for says so in a note, and can be started again', async () => {
  const { tests, toasts } = showCard()
  press('Test')
  tests[0]?.reject(new Error('WebSocket closed'))
  await screen.findByRole('button', { name: 'Test' })
  expect(toasts()).toEqual(['error: The server can’t be reached.'])
  expect(screen.getByRole('status').textContent).toBe('')
})

test('UI-31 Edit leads to the form and changes nothing', () => {
  const { actions, onEdit } = showCard()
  press('Edit')
  expect(onEdit).toHaveBeenCalledOnce()
  expect(actions.put).not.toHaveBeenCalled()
})

test('UI-31 a provider is removed only after a question, which names it', async () => {
  const { actions, removals, toasts } = showCard()
  press('Remove')
  const dialog = await screen.findByRole('dialog', { name: 'Remove Mine?' })
  within(dialog).getByText(words.removeBody)
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(actions.remove).not.toHaveBeenCalled()
  press('Remove')
  const again = await screen.findByRole('dialog', { name: 'Remove Mine?' })
  fireEvent.click(within(again).getByRole('button', { name: 'Remove' }))
  expect(actions.remove.mock.calls).toEqual([['mine']])
  expect(toasts()).toEqual([])
  removals[0]?.resolve()
  await waitFor(() => expect(toasts()).toEqual(['info: Mine was removed.']))
})

test('UI-31 a removal that the server refuses is not reported as done', async () => {
  const { removals, toasts } = showCard()
  press('Remove')
  const dialog = await screen.findByRole('dialog')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Remove' }))
  const data = { appCode: 'NOT_FOUND' }
  removals[0]?.reject(Object.assign(new Error('There is no such provider.'), { data }))
  await waitFor(() => expect(toasts()).toHaveLength(1))
  expect(toasts()[0]).toMatch(/^error: /)
})
