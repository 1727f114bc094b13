// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { ToolCall } from './tool-call.tsx'
import type { ToolPart } from './tool-part.ts'

const URL = `/api/v1/blobs/${'a'.repeat(64)}`

afterEach(() => void vi.unstubAllGlobals())

function call(whole: object): ToolPart {
  return {
    type: 'tool-bash',
    toolCallId: 'call_1',
    state: 'output-available',
    input: { command: 'seq 1 100000' },
    output: { type: 'output', text: 'The head', whole, metadata: { duration_ms: 1, truncated: true } },
  }
}

const file = (bytes: number, url = URL) => ({
  type: 'file',
  mediaType: 'text/plain',
  filename: 'output.txt',
  url,
  providerMetadata: { palimpsest: { bytes } },
})

/** The call, opened, on a page whose requests are answered by `answer`. */
function open(part: ToolPart, answer: () => Promise<Response>) {
  const asked = vi.fn((..._request: Parameters<typeof fetch>) => answer())
  vi.stubGlobal('fetch', asked)
  const page = show(<ToolCall part={part} live={false} />)
  fireEvent.click(page.getByRole('button', { name: /seq 1 100000/ }))
  return { page, asked }
}

test('UI-9 all of a long result is read when a person asks for it, without terminal sequences, and can be saved', async () => {
  const text = '\u001b[31mred\u001b[0m and the rest'
  const { page, asked } = open(call(file(588_895)), () => Promise.resolve(new Response(text)))
  using _page = page
  expect(asked).not.toHaveBeenCalled()
  const link = screen.getByRole('link', { name: /^Save all 5/ })
  expect([link.getAttribute('href'), link.getAttribute('download')]).toEqual([URL, 'output.txt'])
  fireEvent.click(screen.getByRole('button', { name: /^Show all 5/ }))
  await screen.findByText('red and the rest')
  expect(asked.mock.calls).toEqual([[URL, {}]])
  expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull()
})

test('UI-9 of a result above 2 MB the first 2 MB are read', async () => {
  const { page, asked } = open(call(file(9_000_000)), () => Promise.resolve(new Response('The first')))
  using _page = page
  fireEvent.click(screen.getByRole('button', { name: /^Show the first 2/ }))
  await screen.findByText('The first')
  expect(asked.mock.calls).toEqual([[URL, { headers: { range: 'bytes=0-1999999' } }]])
})

test('UI-9 a whole result that cannot be read says so, and is read again on request', async () => {
  let isThere = false
  const { page } = open(call(file(100_000)), () =>
    Promise.resolve(isThere ? new Response('All of it') : new Response('', { status: 404 })),
  )
  using _page = page
  fireEvent.click(screen.getByRole('button', { name: /^Show all/ }))
  await screen.findByRole('alert')
  isThere = true
  fireEvent.click(screen.getByRole('button', { name: /^Show all/ }))
  await screen.findByText('All of it')
  expect(screen.queryByRole('alert')).toBeNull()
})

test.each([
  ['another host', file(100_000, 'https://evil.test/a')],
  ['no file', 'text'],
])('SX-11 a result that names %s as all of it offers nothing', (_, whole) => {
  const { page, asked } = open(call(whole as object), () => Promise.reject(new Error('Never')))
  using _page = page
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.queryByRole('button', { name: /^Show/ })).toBeNull()
  expect(asked).not.toHaveBeenCalled()
})
