// @vitest-environment happy-dom
import { LIMITS } from '@palimpsest/core/domain'
import { PASTED_TEXT } from '@palimpsest/ui'
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { createApp } from '../stores/app.ts'
import { AppProvider } from '../stores/app-context.tsx'
import type { DraftFile } from '../stores/drafts.ts'
import { useDraft } from './use-draft.ts'

// Ample, so that a busy machine fails nothing that would have passed.
configure({ asyncUtilTimeout: 20_000 })

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  localStorage.clear()
})

const settled = (change: () => unknown) => act(async () => void (await change()))

function setUp(key = 'ses_1') {
  const app = createApp('/', () => {
    throw new Error('A draft asks nothing of the server')
  })
  const wrapper = ({ children }: { children: ReactNode }) => <AppProvider value={app}>{children}</AppProvider>
  const { result, rerender, unmount } = renderHook(({ at }) => useDraft(at), {
    wrapper,
    initialProps: { at: key },
  })
  return {
    app,
    unmount,
    now: () => result.current,
    moveTo: (at: string) => rerender({ at }),
    do: (change: (draft: typeof result.current) => unknown) => settled(() => change(result.current)),
    text: () => result.current.draft.text,
    names: () => result.current.attachments.map(({ name }) => name),
    toasts: () => app.toasts.get().map(({ message }) => message),
  }
}

const file = (name: string, text = 'words', type = 'text/plain') => new File([text], name, { type })
const kept = (name: string, text: string): DraftFile => ({
  id: `prt_${name}`,
  name,
  mediaType: 'text/plain',
  url: `data:text/plain;base64,${btoa(text)}`,
  size: text.length,
})

test.each([
  ['an empty field', '', 'more', 'more'],
  ['blank space', ' \n ', 'more', 'more'],
  ['what is written', 'Words', 'more', 'Words\n\nmore'],
])('UI-15 words that come back are put behind %s', async (_, before, more, after) => {
  const draft = setUp()
  await draft.do(({ write }) => write(before))
  await draft.do(({ add }) => add(more))
  expect(draft.text()).toBe(after)
})

test('UI-12 writing leaves the files, and a file leaves what is written', async () => {
  const draft = setUp()
  await draft.do(({ attach }) => attach([file('a.txt')]))
  await waitFor(() => expect(draft.now().draft.files).toHaveLength(1))
  await draft.do(({ write }) => write('Words'))
  expect(draft.names()).toEqual(['a.txt'])
  await draft.do(({ attach }) => attach([file('b.txt')]))
  await waitFor(() => expect(draft.now().draft.files).toHaveLength(2))
  expect([draft.text(), draft.names()]).toEqual(['Words', ['a.txt', 'b.txt']])
})

test('UI-12 a cleared field comes back before what was written since, files included', async () => {
  const draft = setUp()
  let bringBack = (): void => undefined
  // The files that an earlier page kept have been read.
  await settled(() => undefined)
  draft.app.drafts.of('ses_1').set({ text: 'First', files: [kept('a.txt', 'one')] })
  await draft.do(({ clear }) => {
    bringBack = clear()
  })
  expect([draft.text(), draft.names()]).toEqual(['', []])
  draft.app.drafts.of('ses_1').set({ text: 'Then', files: [kept('b.txt', 'two')] })
  await settled(bringBack)
  expect([draft.text(), draft.names()]).toEqual(['First\n\nThen', ['a.txt', 'b.txt']])
})

test.each([
  ['nothing was there', '', 'Then', 'Then'],
  ['nothing was written since', 'First', '', 'First'],
  ['neither holds a word', ' ', '\n', ''],
])('UI-12 a cleared field comes back without empty lines where %s', async (_, before, since, after) => {
  const draft = setUp()
  let bringBack = (): void => undefined
  await draft.do(({ write }) => write(before))
  await draft.do(({ clear }) => {
    bringBack = clear()
  })
  await draft.do(({ write }) => write(since))
  await settled(bringBack)
  expect(draft.text()).toBe(after)
})

test('UI-12 a long paste goes into the field in place of its file', async () => {
  const draft = setUp()
  const pasted = kept(PASTED_TEXT, 'pasted words')
  draft.app.drafts.of('ses_1').set({ text: 'Before', files: [pasted, kept('a.txt', 'one')] })
  await draft.do(({ insertText }) => insertText(pasted.id))
  await waitFor(() => expect(draft.text()).toBe('Before\n\npasted words'))
  expect(draft.names()).toEqual(['a.txt'])
})

test('UI-12 a paste in another script goes into the field as it was', async () => {
  const words = '東京 🖋️ naïve\r\nline'
  const draft = setUp()
  await draft.do(({ attach }) => attach([file(PASTED_TEXT, words)]))
  await waitFor(() => expect(draft.now().draft.files).toHaveLength(1))
  await draft.do(({ insertText }) => insertText(draft.now().draft.files[0]?.id ?? ''))
  await waitFor(() => expect(draft.text()).toBe(words))
})

test('UI-12 only a file with the name of a paste is shown as one', async () => {
  const draft = setUp()
  draft.app.drafts.of('ses_1').set({ text: '', files: [kept(PASTED_TEXT, 'a'), kept('notes.txt', 'b')] })
  await waitFor(() => expect(draft.now().attachments.map(({ pasted }) => pasted)).toEqual([true, false]))
})

test('UI-12 a file that is not in the draft is neither taken out nor put into the field', async () => {
  const draft = setUp()
  draft.app.drafts.of('ses_1').set({ text: 'Words', files: [kept('a.txt', 'one')] })
  await draft.do(({ insertText, detach }) => {
    insertText('prt_elsewhere')
    detach('prt_elsewhere')
  })
  expect([draft.text(), draft.names()]).toEqual(['Words', ['a.txt']])
})

test('UI-33 a small file is in the draft with its content and a large one with its bytes', async () => {
  const draft = setUp()
  const large = file('large.txt', 'x'.repeat(LIMITS.inlineFileBytes + 1))
  const limit = file('limit.txt', 'x'.repeat(LIMITS.inlineFileBytes))
  vi.spyOn(draft.app.uploads, 'ensure').mockImplementation(() => undefined)
  await draft.do(({ attach }) => attach([limit, large]))
  await waitFor(() => expect(draft.now().draft.files).toHaveLength(2))
  const facts = draft.now().draft.files.map(({ name, url, bytes }) => [name, url.slice(0, 5), bytes?.size])
  expect(facts.toSorted()).toEqual([
    ['large.txt', '', LIMITS.inlineFileBytes + 1],
    ['limit.txt', 'data:', undefined],
  ])
})

test('UI-33 a file that waits for its upload is not ready, and is once it has an address', async () => {
  const draft = setUp()
  const done: ((url: string) => void)[] = []
  vi.spyOn(draft.app.uploads, 'ensure').mockImplementation(({ url }, onUrl) => {
    if (url === '') done.push(onUrl)
  })
  const bytes = new Blob(['large'])
  const waiting = { ...kept('large.bin', ''), url: '', bytes }
  draft.app.drafts.of('ses_1').set({ text: '', files: [waiting, kept('a.txt', 'one')] })
  const states = () => draft.now().attachments.map(({ state }) => state.type)
  await waitFor(() => expect(states()).toEqual(['waiting', 'ready']))
  await settled(() => done[0]?.('/blobs/1'))
  expect(states()).toEqual(['ready', 'ready'])
  expect(draft.now().draft.files.map(({ url }) => url)[0]).toBe('/blobs/1')
})

test('UI-33 an upload that ends after its file was taken out brings nothing back', async () => {
  const draft = setUp()
  const done: ((url: string) => void)[] = []
  vi.spyOn(draft.app.uploads, 'ensure').mockImplementation((_, onUrl) => void done.push(onUrl))
  const cancel = vi.spyOn(draft.app.uploads, 'cancel')
  draft.app.drafts.of('ses_1').set({ text: '', files: [kept('a.txt', 'one')] })
  await waitFor(() => expect(done).not.toEqual([]))
  await draft.do(({ detach }) => detach('prt_a.txt'))
  await settled(() => done[0]?.('/blobs/1'))
  expect(draft.names()).toEqual([])
  expect(cancel.mock.calls).toEqual([['prt_a.txt']])
})

test('AP-4 a file above the largest size is named with that size and stays out', async () => {
  const draft = setUp()
  const large = Object.defineProperty(file('film.mp4', '', 'video/mp4'), 'size', {
    value: LIMITS.blobBytes + 1,
  })
  await draft.do(({ attach }) => attach([large, file('a.txt')]))
  await waitFor(() => expect(draft.names()).toEqual(['a.txt']))
  expect(draft.toasts()).toEqual([expect.stringMatching(/^“film\.mp4” is too large: .*up to [\d.]+ MB\.$/)])
})

test('UI-12 a file without a type is sent as bytes', async () => {
  const draft = setUp()
  await draft.do(({ attach }) => attach([file('Makefile', 'all:', '')]))
  await waitFor(() => expect(draft.now().draft.files).toHaveLength(1))
  expect(draft.now().draft.files[0]).toMatchObject({ mediaType: 'application/octet-stream', size: 4 })
})

test('UI-12 a field that changes its chat shows the draft of the other, and a file goes to the one it was chosen in', async () => {
  const draft = setUp('ses_1')
  await draft.do(({ write }) => write('One'))
  const { attach } = draft.now()
  draft.moveTo('ses_2')
  expect(draft.text()).toBe('')
  await settled(() => attach([file('late.txt')]))
  await waitFor(() => expect(draft.app.drafts.of('ses_1').get().files).toHaveLength(1))
  expect(draft.app.drafts.of('ses_2').get().files).toEqual([])
})

test('UI-12 a file whose field was left while it was read is in the draft all the same', async () => {
  const draft = setUp()
  const { attach } = draft.now()
  draft.unmount()
  attach([file('late.txt')])
  await waitFor(() => expect(draft.app.drafts.of('ses_1').get().files).toHaveLength(1))
})

test('UI-12 the words of a file are put into the field once, whatever is pressed twice', async () => {
  const draft = setUp()
  await settled(() => undefined)
  draft.app.drafts.of('ses_1').set({ text: '', files: [kept(PASTED_TEXT, 'one')] })
  const id = `prt_${PASTED_TEXT}`
  await draft.do(({ insertText }) => {
    insertText(id)
    insertText(id)
  })
  await waitFor(() => expect(draft.names()).toEqual([]))
  expect(draft.text()).toBe('one')
})
