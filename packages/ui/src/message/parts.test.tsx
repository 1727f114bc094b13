// @vitest-environment happy-dom
import type { ChatPart } from '@palimpsest/core/domain'
import { act, fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { FileParts } from '../files/file-parts.tsx'
import { sampleMessage, sampleModel, textMessage } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { MessageDetails } from './message-details.tsx'
import { messageText } from './message-text.ts'
import { RegenerateButton } from './regenerate-button.tsx'
import { SourceParts } from './source-parts.tsx'
import { UnreadablePart } from './unreadable-part.tsx'
import { UserMessage } from './user-message.tsx'
import { UserWords } from './user-words.tsx'

type FilePart = Extract<ChatPart, { type: 'file' }>

const file = (facts: Partial<FilePart>): FilePart => ({
  type: 'file',
  mediaType: 'text/plain',
  url: `data:text/plain;base64,${btoa('gall')}`,
  ...facts,
})

test('UI-10 a file has its name and its size, and none is made up', () => {
  using page = show(
    <FileParts parts={[file({ filename: 'a.txt' }), file({ url: 'https://files.example.org/b.txt' })]} />,
  )
  expect(page.container.textContent).toBe('a.txt4 BFile')
  expect(page.container.querySelector('a, img')).toBeNull()
})

test('UI-10 an image that came with the message is shown under its name', () => {
  const url = 'data:image/png;base64,AA=='
  using page = show(<FileParts parts={[file({ mediaType: 'image/png', filename: 'leaf.png', url })]} />)
  expect(page.getByRole('img', { name: 'leaf.png' }).getAttribute('src')).toBe(url)
})

test('SX-3 an image at an address that is not allowed is named and never offered', () => {
  const url = 'javascript:alert(1)'
  using page = show(<FileParts parts={[file({ mediaType: 'image/png', filename: 'leaf.png', url })]} />)
  expect(page.container.textContent).toContain('leaf.png: Image not shown')
  expect(page.queryByRole('button')).toBeNull()
})

test('SX-3 an image that can’t be loaded says from where', () => {
  const url = 'https://images.example.org/a.png'
  using page = show(<FileParts parts={[file({ mediaType: 'image/png', filename: 'leaf.png', url })]} />)
  fireEvent.click(page.getByRole('button', { name: /Load image/ }))
  const source = page.container.querySelector('iframe')?.contentWindow ?? null
  act(() => void window.dispatchEvent(new MessageEvent('message', { data: { size: null }, source })))
  expect(page.container.textContent).toBe('leaf.png: The image from images.example.org can’t be loaded.')
})

test('UI-10 sources are links by their title, or by where they lie', () => {
  using page = show(
    <SourceParts
      parts={[
        { type: 'source-url', sourceId: '1', url: 'https://example.org/a', title: 'On inks' },
        { type: 'source-url', sourceId: '2', url: 'https://ink.example.org/b' },
        { type: 'source-document', sourceId: '3', mediaType: 'application/pdf', title: 'A treatise' },
      ]}
    />,
  )
  const links = page.getAllByRole('link').map((link) => link.textContent)
  expect(links.map((text) => text?.replace(/ \(opens.*/, ''))).toEqual(['On inks', 'ink.example.org'])
  expect(page.getByRole('list', { name: 'Sources' }).textContent).toContain('A treatise')
})

test('SX-3 a source that leads nowhere safe is its words alone', () => {
  using page = show(
    <SourceParts
      parts={[{ type: 'source-url', sourceId: '1', url: 'javascript:alert(1)', title: 'On inks' }]}
    />,
  )
  expect(page.queryByRole('link')).toBeNull()
  expect(page.getByText('On inks')).toBeTruthy()
})

test('UI-10 a message that is long by characters or by lines folds, and opens whole', () => {
  const folds = (text: string) => {
    using page = show(<UserWords parts={[{ type: 'text', text }]} />)
    return page.queryByRole('button', { name: 'Show the whole message' }) !== null
  }
  expect(folds('x'.repeat(1_500))).toBe(false)
  expect(folds('x'.repeat(1_501))).toBe(true)
  expect(folds('x\n'.repeat(17))).toBe(false)
  expect(folds('x\n'.repeat(18))).toBe(true)
  using page = show(<UserWords parts={[{ type: 'text', text: 'x\n'.repeat(30) }]} />)
  fireEvent.click(page.getByRole('button', { name: 'Show the whole message' }))
  fireEvent.click(page.getByRole('button', { name: 'Show less' }))
  expect(page.getByRole('button', { name: 'Show the whole message' })).toBeTruthy()
})

test('SX-3 what a person wrote is shown as they wrote it', () => {
  const text = '<b>not bold</b> **nor this** [x](javascript:1)'
  using page = show(<UserMessage message={textMessage('m', 'user', text)} actions={{}} />)
  expect(page.getByText(text)).toBeTruthy()
  expect(page.container.querySelector('b, strong, a')).toBeNull()
})

test('PR-5 a message that the model does not read says so, and is brought back there', () => {
  const onBringBack = vi.fn()
  const message = {
    ...textMessage('m', 'user', 'Hi'),
    metadata: { schemaVersion: 1, createdAt: 0, leftOut: true } as const,
  }
  using page = show(<UserMessage message={message} actions={{ onBringBack }} />)
  expect(page.getByText('Left out of what the model reads')).toBeTruthy()
  fireEvent.click(page.getByRole('button', { name: 'Bring back' }))
  expect(onBringBack.mock.calls).toEqual([['m']])
})

test('UI-10 the link of a message leads to it from anywhere', async () => {
  const writeText = vi.fn(() => Promise.resolve())
  vi.stubGlobal('navigator', { ...navigator, userAgent: '', clipboard: { writeText } })
  using page = show(
    <UserMessage message={textMessage('m', 'user', 'Hi')} actions={{ linkFor: (id) => `/s/ses#${id}` }} />,
  )
  fireEvent.click(page.getByRole('button', { name: 'Copy link' }))
  expect(writeText.mock.calls).toEqual([[new URL('/s/ses#m', window.location.href).href]])
  vi.unstubAllGlobals()
})

test('UI-10 what is copied of a message is its words, without thoughts and calls', () => {
  const message = sampleMessage('m', 'assistant', [
    { type: 'reasoning', text: 'Hmm' },
    { type: 'text', text: 'One' },
    { type: 'dynamic-tool', toolName: 'read', toolCallId: 'c', state: 'input-available', input: {} },
    { type: 'text', text: '' },
    { type: 'text', text: 'Two' },
  ])
  expect(messageText(message)).toBe('One\n\nTwo')
})

test('UI-10 another model is asked for a reply from the list of them', async () => {
  const onRegenerate = vi.fn()
  const models = [sampleModel('opus'), sampleModel('mini')]
  using page = show(<RegenerateButton models={models} onRegenerate={onRegenerate} />)
  fireEvent.click(page.getByRole('button', { name: 'Regenerate' }))
  fireEvent.click(await page.findByRole('menuitem', { name: 'With another model' }))
  fireEvent.click(await page.findByRole('menuitem', { name: 'mini' }))
  expect(onRegenerate.mock.calls).toEqual([[{ providerId: 'acme', modelId: 'mini' }]])
})

test('UI-10 details leave out what is not known, and say when a count is missing', () => {
  const usage = {
    input: 10,
    output: 0,
    reasoning: 0,
    cacheRead: 0,
    cacheWrite: 0,
    steps: 1,
    unknown: true,
  } as const
  const metadata = { schemaVersion: 1, createdAt: 0, usage } as const
  using page = show(<MessageDetails metadata={metadata} modelLabel="opus" costUsd={null} />)
  fireEvent.click(page.getByRole('button', { name: 'Details' }))
  const text = page.getByRole('dialog', { name: 'Details' }).textContent
  expect(text).toContain('The provider did not report every count.')
  for (const word of ['Cost', 'Ended', 'Variant', 'Time']) expect(text).not.toContain(word)
})

test('UI-10 details name the variant and how the reply ended', () => {
  const model = { providerId: 'acme', modelId: 'opus', variant: 'high' }
  const metadata = { schemaVersion: 1, createdAt: 0, model, finishReason: 'length', durationMs: 900 } as const
  using page = show(<MessageDetails metadata={metadata} modelLabel="opus" costUsd={0} />)
  fireEvent.click(page.getByRole('button', { name: 'Details' }))
  const text = page.getByRole('dialog', { name: 'Details' }).textContent
  for (const piece of ['Varianthigh', 'EndedLength limit', 'Time0.9\u00A0s', 'Cost$0.00'])
    expect(text).toContain(piece)
})

test('UI-10 what is stored of a part that can’t be read is shown only when it is asked for', () => {
  using page = show(<UnreadablePart data={{ raw: '{"type":' }} />)
  expect(page.container.textContent).not.toContain('{')
  fireEvent.click(page.getByRole('button', { name: 'Show stored data' }))
  expect(page.getByRole('region', { name: 'Show stored data' }).textContent).toContain('raw')
})
