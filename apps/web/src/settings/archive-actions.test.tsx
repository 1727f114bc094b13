// @vitest-environment happy-dom
import type { ArchiveReport } from '@palimpsest/core/domain'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'
import { settingsWords } from '../words/en-settings.ts'
import { summaryOf } from './archive-outcome.tsx'

const { data: words } = settingsWords
const NONE = { imported: 0, copied: 0, skipped: 0, failed: 0 }
const REPORT: ArchiveReport = {
  sessions: NONE,
  files: { imported: 0, skipped: 0, failed: 0 },
  settings: 'none',
  complete: true,
  problems: [],
  moreProblems: 0,
}
const FILE = new File(['zipped'], 'all.tar.gz')

/** A server for archives: what it was sent, and ways for it to answer. */
function stubRequests() {
  const sent: FakeRequest[] = []
  class FakeRequest {
    readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
    readonly opened: string[] = []
    readonly headers: Record<string, string> = {}
    response: unknown = null
    body: unknown = null
    onload = () => undefined
    onerror = () => undefined
    onabort = () => undefined

    open(method: string, path: string) {
      this.opened.push(method, path)
    }

    setRequestHeader(name: string, value: string) {
      this.headers[name] = value
    }

    send(body: unknown) {
      this.body = body
      sent.push(this)
    }

    abort() {
      this.onabort()
    }

    answer(response: unknown) {
      this.response = response
      act(() => void this.onload())
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  return sent
}

function choose(file: File | null): void {
  vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function answer(this: HTMLInputElement) {
    if (file !== null) Object.defineProperty(this, 'files', { value: [file] })
    this.dispatchEvent(new Event(file === null ? 'cancel' : 'change'))
  })
}

/** The settings of data with an archive on its way. */
async function importing() {
  const lab = await openChatLab()
  const sent = stubRequests()
  choose(FILE)
  const page = lab.open('/settings/data')
  fireEvent.click(await screen.findByRole('button', { name: words.importArchive }))
  await waitFor(() => expect(sent).toHaveLength(1))
  const [request] = sent
  if (request === undefined) throw new Error('Nothing was sent.')
  return {
    lab,
    page,
    sent,
    request,
    async [Symbol.asyncDispose]() {
      page.leave()
      vi.restoreAllMocks()
      await lab[Symbol.asyncDispose]()
    },
  }
}

test('UI-31 everything is exported by a link that the browser saves, and the page says where its progress is', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/data')
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: words.exportAll })
  expect([link.getAttribute('href'), link.hasAttribute('download')]).toEqual(['/api/v1/archive', true])
  link.addEventListener('click', (event) => event.preventDefault())
  fireEvent.click(link)
  await screen.findByText(words.exporting)
})

test('UI-31 an archive is sent as it lies on the disk, with its progress, and the page reports what came in', async () => {
  await using test = await importing()
  const { request } = test
  expect(request.opened).toEqual(['POST', '/api/v1/archive'])
  expect([request.headers, request.body]).toEqual([{ 'content-type': 'application/gzip' }, FILE])
  act(() => request.upload.onprogress?.({ loaded: 25, total: 100 }))
  const bar = screen.getByRole('progressbar', { name: words.progress })
  expect(bar.getAttribute('aria-valuenow')).toBe('25')
  expect(bar.getAttribute('aria-valuetext')).toBe('Importing all.tar.gz: 25%')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: words.importArchive }).disabled).toBe(true)
  act(() => request.upload.onprogress?.({ loaded: 100, total: 100 }))
  expect(bar.getAttribute('aria-valuetext')).toBe('Importing all.tar.gz: nearly done')
  const chats = () => screen.getByText(words.chats).nextElementSibling?.textContent
  await waitFor(() => expect(chats()).toBe('0'))
  await test.lab.talk(['From the archive'])
  request.answer({ ...REPORT, sessions: { ...NONE, imported: 3, skipped: 1 } })
  await waitFor(() => expect(chats()).toBe('1'))
  await screen.findByText('3 chats imported · 1 chat already here')
  expect(screen.queryByRole('progressbar')).toBeNull()
})

test('UI-31 instructions and model come with an archive only when they are asked for', async () => {
  await using lab = await openChatLab()
  const sent = stubRequests()
  choose(FILE)
  using _page = lab.open('/settings/data')
  fireEvent.click(await screen.findByLabelText(words.withSettings))
  fireEvent.click(screen.getByRole('button', { name: words.importArchive }))
  await waitFor(() => expect(sent[0]?.opened).toEqual(['POST', '/api/v1/archive?settings=true']))
  sent[0]?.answer({ ...REPORT, settings: 'imported' })
  await screen.findByText(words.settingsTaken)
  vi.restoreAllMocks()
})

test('UI-31 an import goes on while another page is open, and its end is shown on the way back', async () => {
  await using test = await importing()
  fireEvent.click(screen.getByRole('link', { name: 'General' }))
  await screen.findByRole('heading', { level: 2, name: 'General' })
  test.request.answer({ ...REPORT, sessions: { ...NONE, copied: 2 } })
  fireEvent.click(screen.getByRole('link', { name: 'Data' }))
  await screen.findByText('2 chats imported as copies')
})

test('UI-31 what was not imported is named with its reason, and how many more there are', async () => {
  await using test = await importing()
  const problems = [
    { name: 'sessions/a/b.jsonl', title: 'The boat', reason: 'Line 3 cannot be imported.' },
    { name: '../../etc/passwd', title: null, reason: 'No archive has an entry of this name.' },
  ]
  const sessions = { ...NONE, failed: 1 }
  test.request.answer({ ...REPORT, sessions, complete: false, problems, moreProblems: 5 })
  await screen.findByText('1 chat not imported')
  await screen.findByText(words.incomplete)
  fireEvent.click(screen.getByText('7 problems'))
  const lines = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(lines.slice(-3)).toEqual([
    'The boatLine 3 cannot be imported.',
    '../../etc/passwdNo archive has an entry of this name.',
    'and 5 more',
  ])
})

test.for([
  [
    'a refusal in its words',
    { error: { message: 'This file is not an archive.' } },
    'This file is not an archive.',
  ],
  ['an answer that is none as a lost connection', null, words.lost],
] as const)('UI-31 UI-4 the page shows %s, and another file can be chosen', async ([, response, text]) => {
  await using test = await importing()
  test.request.answer(response)
  await screen.findByText(text)
  fireEvent.click(screen.getByRole('button', { name: words.importArchive }))
  await waitFor(() => expect(test.sent).toHaveLength(2))
})

test('UI-31 UI-4 an import is cancelled, or loses its connection, and the page says what is kept', async () => {
  await using test = await importing()
  fireEvent.click(screen.getByRole('button', { name: words.cancel }))
  await screen.findByText(words.cancelled)
  fireEvent.click(screen.getByRole('button', { name: words.importArchive }))
  await waitFor(() => expect(test.sent).toHaveLength(2))
  act(() => void test.sent[1]?.onerror())
  await screen.findByText(words.lost)
})

test('UI-31 without a chosen file nothing is sent', async () => {
  await using lab = await openChatLab()
  const sent = stubRequests()
  choose(null)
  using _page = lab.open('/settings/data')
  fireEvent.click(await screen.findByRole('button', { name: words.importArchive }))
  await waitFor(() => expect(sent).toEqual([]))
  vi.restoreAllMocks()
})

test('UI-31 a summary has what there is, each with its number', () => {
  expect(summaryOf(REPORT)).toEqual([])
  const sessions = { imported: 1, copied: 1, skipped: 1_200, failed: 2 }
  const files = { imported: 1, skipped: 3, failed: 0 }
  expect(summaryOf({ ...REPORT, sessions, files })).toEqual([
    '1 chat imported',
    '1 chat imported as a copy',
    '1,200 chats already here',
    '2 chats not imported',
    '1 file',
  ])
})
