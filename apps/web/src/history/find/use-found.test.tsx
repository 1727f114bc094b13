// @vitest-environment happy-dom
import type { Client } from '@palimpsest/client'
import type { ChatMessage } from '@palimpsest/core/domain'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import fc from 'fast-check'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { initialSessionState } from '../../session/session-state.ts'
import { createApp } from '../../stores/app.ts'
import { AppProvider } from '../../stores/app-context.tsx'
import { userMessage } from '../../testing/session-world.ts'
import { nearestMatch, useFound } from './use-found.ts'

type Asked = { sessionId: string; text: string; limit: number; cursor?: string }
type Hit = { messageId: string; role: 'user' | 'assistant'; layer: 'visible' | 'hidden'; snippet: string }
type Answer = { items: Hit[]; nextCursor: string | null }

const hit = (messageId: string, snippet = 'ink'): Hit => ({
  messageId,
  role: 'user',
  layer: 'visible',
  snippet,
})

// Ample, so that a busy machine fails nothing that would have passed.
configure({ asyncUtilTimeout: 20_000 })

afterEach(cleanup)

/** The hook on a page whose server answers searches so. */
function search(answer: (asked: Asked) => Promise<Answer>, first = '') {
  const query = vi.fn<(asked: Asked, options: { signal: AbortSignal }) => Promise<Answer>>(answer)
  // Find calls nothing else.
  const client = { search: { messages: { query } } } as unknown as Client
  const app = createApp('/', () => client)
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <AppProvider value={app}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </AppProvider>
  )
  const initialProps = { text: first, state: initialSessionState('ses_1', 'ready') }
  const hook = renderHook(({ text, state }) => useFound(state, text), { wrapper, initialProps })
  return { ...hook, query, initialProps, found: () => hook.result.current.found }
}

/** Pages of `size` hits without an end. */
const endless = (size: number) => (asked: Asked) => {
  const page = Number(asked.cursor ?? 0)
  const items = Array.from({ length: size }, (_, at) => hit(`m${page * size + at}`))
  return Promise.resolve({ items, nextCursor: String(page + 1) })
}

test('UI-30 a search of 1,000 messages is the largest, and says that earlier ones match as well', async () => {
  const { query, found } = search(endless(200), 'ink')
  await waitFor(() => expect(found()).not.toBeNull())
  expect([found()?.matches.length, found()?.more, query.mock.calls.length]).toEqual([1_000, true, 5])
})

test('UI-30 a search whose pages are short ends after 20 of them', async () => {
  const { query, found } = search(endless(3), 'ink')
  await waitFor(() => expect(found()).not.toBeNull())
  expect([found()?.matches.length, found()?.more, query.mock.calls.length]).toEqual([60, true, 20])
})

test('UI-30 a page without a match does not end a search', async () => {
  const pages: Answer[] = [
    { items: [hit('m3')], nextCursor: 'a' },
    { items: [], nextCursor: 'b' },
    { items: [hit('m1')], nextCursor: null },
  ]
  const { query, found } = search(() => Promise.resolve(pages.shift() ?? pageOf()), 'ink')
  await waitFor(() => expect(found()).not.toBeNull())
  expect(found()).toMatchObject({ matches: [{ messageId: 'm1' }, { messageId: 'm3' }], more: false })
  expect(query.mock.calls.map(([{ cursor }]) => cursor)).toEqual([undefined, 'a', 'b'])
})

const pageOf = (...items: Hit[]): Answer => ({ items, nextCursor: null })

test.each([
  ['around it', 'the \u0002ink\u0003 dries', ['the ', 'ink', ' dries']],
  ['before it only', 'the \u0002ink\u0003', ['the ', 'ink', '']],
  ['between two', '\u0002ink\u0003 and \u0002inks\u0003', ['', 'ink', ' and ', 'inks', '']],
])('UI-30 the text of a match alternates what is %s and what matches', async (_, snippet, pieces) => {
  const { found } = search(() => Promise.resolve(pageOf(hit('m', snippet))), 'ink')
  await waitFor(() => expect(found()?.matches[0]?.pieces).toEqual(pieces))
})

test.each(['', '   ', '\n\t'])('UI-30 the server is not asked for “%s”', async (text) => {
  const { query, rerender, initialProps, result } = search(endless(1), 'ink')
  await waitFor(() => expect(result.current.found).not.toBeNull())
  const asked = query.mock.calls.length
  rerender({ ...initialProps, text })
  expect(result.current).toEqual({ found: null, failed: false })
  expect(query.mock.calls).toHaveLength(asked)
})

test('UI-30 spaces around the words are no part of them', async () => {
  const { query, found } = search(() => Promise.resolve(pageOf()), '  iron gall ')
  await waitFor(() => expect(found()?.text).toBe('iron gall'))
  expect(query.mock.calls.map(([{ text }]) => text)).toEqual(['iron gall'])
})

test('UI-30 signs without a word mark nothing', async () => {
  const { found } = search(() => Promise.resolve(pageOf()), '?!')
  await waitFor(() => expect(found()).toMatchObject({ matches: [], terms: null }))
})

test('UI-4 UI-30 a search that fails says so until the words change', async () => {
  const { result, rerender, initialProps } = search(({ text }) => {
    return text === 'ink' ? Promise.reject(new Error('No')) : Promise.resolve(pageOf(hit('m1')))
  }, 'ink')
  await waitFor(() => expect(result.current.failed).toBe(true))
  rerender({ ...initialProps, text: 'inks' })
  await waitFor(() => expect(result.current.found?.matches).toHaveLength(1))
  expect(result.current.failed).toBe(false)
})

test('UI-26 UI-30 a search is made again once a message has come or the history has changed', async () => {
  const { query, rerender, initialProps } = search(() => Promise.resolve(pageOf()), 'ink')
  await waitFor(() => expect(query).toHaveBeenCalledTimes(1))
  const state = { ...initialProps.state, messages: [userMessage('new')] }
  rerender({ text: 'ink', state })
  await waitFor(() => expect(query).toHaveBeenCalledTimes(2))
  rerender({ text: 'ink', state: { ...state } })
  rerender({ text: 'ink', state: { ...state, status: { state: 'busy', runId: 'r', startedAt: 0 } } })
  await waitFor(() => expect(query).toHaveBeenCalledTimes(3))
})

test('UI-30 the answer for earlier words never comes under later ones', async () => {
  const first = Promise.withResolvers<Answer>()
  const { found, query, rerender, initialProps } = search(
    ({ text }) => (text === 'ink' ? first.promise : Promise.resolve(pageOf(hit('m2')))),
    'ink',
  )
  await waitFor(() => expect(query).toHaveBeenCalledTimes(1))
  rerender({ ...initialProps, text: 'vellum' })
  await waitFor(() => expect(found()?.text).toBe('vellum'))
  expect(query.mock.calls[0]?.[1].signal.aborted).toBe(true)
  first.resolve(pageOf(hit('m1')))
  await first.promise
  expect(found()).toMatchObject({ text: 'vellum', matches: [{ messageId: 'm2' }] })
})

const LOADED: ChatMessage[] = ['m1', 'm2', 'm3', 'm4'].map((id) => userMessage(id))
const found = (...ids: string[]) =>
  ids.map((messageId) => ({ messageId, role: 'user', layer: 'visible', pieces: [] }) as const)
const at = (messageId: string) => ({ messageId, offset: 0 })

test.each([
  ['the end', null, ['m1', 'm3'], 'm3'],
  ['a match', at('m3'), ['m1', 'm3', 'm4'], 'm3'],
  ['between two matches', at('m2'), ['m1', 'm3', 'm4'], 'm3'],
  ['after the last match', at('m4'), ['m1', 'm3'], 'm3'],
  ['a message that is not loaded', at('gone'), ['m2', 'm3'], 'm2'],
  ['a message, with matches further up than what is loaded', at('m2'), ['old', 'm4'], 'm4'],
  ['a message, with all matches further up', at('m2'), ['older', 'old'], 'old'],
])('UI-30 typing at %s leads to the nearest match from there on, else to the last', (_, place, ids, id) => {
  expect(nearestMatch(found(...ids), LOADED, place)?.messageId).toBe(id)
})

test('UI-30 wherever the thread is read, typing leads to a match as long as there is one', () => {
  const ids = fc.subarray(['old', 'm1', 'm2', 'm3', 'm4'])
  const places = fc.option(fc.constantFrom('m1', 'm2', 'm3', 'm4', 'gone').map(at))
  fc.assert(
    fc.property(ids, places, (list, place) => {
      const nearest = nearestMatch(found(...list), LOADED, place)
      if (list.length === 0) expect(nearest).toBeNull()
      else expect(list).toContain(nearest?.messageId)
    }),
  )
})
