import { PDF_LIMITS } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { HOSTILE_PDFS } from '../../testing/hostile-pdfs.ts'
import { drawn, pagesOf, pdfOf, pdfWith, streamOf } from '../../testing/pdf-bytes.ts'
import { processesNamed } from '../../testing/processes-named.ts'
import { createPdfReader } from './pdf-reader.ts'

const SIGNAL = new AbortController().signal

/** A reader whose processes are found by a number in their command line. */
function openLab(over: Partial<Record<keyof typeof PDF_LIMITS, number>> = {}) {
  const characters = 1_000_000 + Math.floor(Math.random() * 1_000_000)
  const reader = createPdfReader({ ...PDF_LIMITS, characters, ...over })
  return { ...reader, processes: () => processesNamed(String(over.characters ?? characters)) }
}

test('TO-1 the text of a PDF comes page by page, in any script, from packed streams', async () => {
  const texts = ['One\ntwo', 'Grüße, 世界, Ελλάδα 1–2 «a» привет', '', 'Last']
  expect(await openLab().read(pdfWith(...texts), SIGNAL)).toEqual({ type: 'pages', pages: texts, total: 4 })
})

test('TO-1 control characters in a PDF are left out', async () => {
  const pdf = pdfWith('a\u0000\u0007\u001b[31mb\u009cc')
  expect(await openLab().read(pdf, SIGNAL)).toMatchObject({ pages: ['a[31mbc'] })
})

test('TO-1 scripts and files in a PDF are neither run nor read', async () => {
  const objects = pagesOf([drawn('Text')], {
    more: '/OpenAction 8 0 R /Names << /JavaScript << /Names [(a) 8 0 R] >> /EmbeddedFiles << /Names [(f) 9 0 R] >> >>',
    after: [
      '<< /S /JavaScript /JS (throw new Error\\(app.alert\\(1\\)\\)) >>',
      '<< /Type /Filespec /F (/etc/passwd) /EF << /F 10 0 R >> >>',
      streamOf('secret', '/Type /EmbeddedFile'),
    ],
  })
  expect(await openLab().read(pdfOf(objects), SIGNAL)).toEqual({ type: 'pages', pages: ['Text'], total: 1 })
})

test('TO-1 a PDF with a password says that, and one whose table is missing is damaged', async () => {
  const lock = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >> /ID [<41> <41>]`
  const locked = pdfOf(pagesOf([drawn('Text')]), lock)
  expect(await openLab().read(locked, SIGNAL)).toEqual({ type: 'fault', fault: 'encrypted' })
  const cut = pdfWith('Text').subarray(0, 100)
  expect(await openLab().read(cut, SIGNAL)).toEqual({ type: 'fault', fault: 'damaged' })
})

test('TO-3 pages come up to a number, and up to an amount of text', async () => {
  const pdf = pdfWith('One', 'Two', 'Three', 'Four')
  expect(await openLab({ pages: 2 }).read(pdf, SIGNAL)).toMatchObject({ pages: ['One', 'Two'], total: 4 })
  expect(await openLab({ characters: 10 }).read(pdf, SIGNAL)).toMatchObject({
    pages: ['One', 'Two'],
    total: 4,
  })
})

test('TO-3 a PDF that takes too long is ended, and costs too much', async () => {
  const lab = openLab({ seconds: 0 })
  expect(await lab.read(pdfWith('One'), SIGNAL)).toEqual({ type: 'fault', fault: 'costly' })
  await expect.poll(lab.processes).toEqual([])
})

test.for(Object.keys(HOSTILE_PDFS))('TO-3 %s is read within bounds, or not at all', async (name) => {
  const lab = openLab({ megabytes: 200, seconds: 2, pages: 10 })
  const content = await lab.read(HOSTILE_PDFS[name]?.() ?? Buffer.of(), SIGNAL)
  if (content.type === 'fault') expect(content.fault).toMatch(/^(damaged|costly)$/)
  else {
    expect(content.pages.length).toBeLessThanOrEqual(10)
    expect(content.pages.join('').replaceAll('Text', '')).toBe('')
  }
  await expect.poll(lab.processes).toEqual([])
})

test('TO-4 an abort ends the process of a PDF, and one that waits does not start', async () => {
  const lab = openLab()
  const slow = HOSTILE_PDFS['one page a million times']?.() ?? Buffer.of()
  const stop = new AbortController()
  const readings = Array.from({ length: 3 }, () => lab.read(slow, stop.signal))
  const outcomes = Promise.allSettled(readings)
  await expect.poll(lab.processes).toHaveLength(2)
  const reason = new Error('Stopped')
  stop.abort(reason)
  expect(await outcomes).toEqual(readings.map(() => ({ status: 'rejected', reason })))
  await expect.poll(lab.processes).toEqual([])
  expect(await lab.read(pdfWith('Next'), SIGNAL)).toMatchObject({ pages: ['Next'] })
  await expect(lab.read(pdfWith('Next'), stop.signal)).rejects.toBe(reason)
})
