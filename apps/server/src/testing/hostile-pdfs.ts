import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { drawn, FIRST_PAGE, pagesOf, pdfOf, pdfWith, streamOf } from './pdf-bytes.ts'

const MB = 1024 * 1024
const TWICE = '/Filter [/FlateDecode /FlateDecode]'

/** A stream of a few kilobytes that unpacks to this many megabytes, all of it `text` over and over. */
function bomb(megabytes: number, text: string): Buffer {
  const piece = deflateRawSync(Buffer.alloc(MB, text), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const whole = Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array.from({ length: megabytes }, () => piece),
    Buffer.from([0x03, 0x00]),
  ])
  return deflateSync(whole, { level: 9 })
}

/** Object 5 of `pagesOf` is the map of the font, object 4 what it is made of. */
function withObject(number: number, object: string | Buffer): Buffer {
  return pdfOf(pagesOf([drawn('Text')]).with(number - 1, object))
}

/** Object 2 and, in place of the table of objects, a stream. */
function withTable(object: string | Buffer, table: Buffer): Buffer {
  const head = Buffer.concat([
    Buffer.from('%PDF-1.7\n2 0 obj\n'),
    Buffer.from(object),
    Buffer.from('\nendobj\n'),
  ])
  const end = Buffer.from(`\nendobj\nstartxref\n${head.length}\n%%EOF\n`)
  return Buffer.concat([head, Buffer.from('3 0 obj\n'), table, end])
}

const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

/** PDFs that are made to cost much or to be misread. */
export const HOSTILE_PDFS: Readonly<Record<string, () => Buffer>> = {
  'a page that unpacks to 4 GB of blanks': () => pdfOf(pagesOf([streamOf(bomb(4_000, ' '), TWICE)])),
  'a page that unpacks to 4 GB of text': () =>
    pdfOf(pagesOf([streamOf(bomb(4_000, 'BT /F 10 Tf <00410042> Tj ET '), TWICE)])),
  'a map of characters that unpacks to 4 GB': () =>
    withObject(5, streamOf(bomb(4_000, '<0041> <0042> '), TWICE)),
  'objects in a stream that unpacks to 4 GB': () => {
    const objects = streamOf(bomb(4_000, '1 0 '), `/Type /ObjStm /N 1000000000 /First 4000000000 ${TWICE}`)
    // Object 1 is in the stream of object 2, which begins at byte 9.
    const rows = Buffer.from([0, 0, 0, 2, 2, 0, 1, 9, 0])
    return withTable(objects, streamOf(rows, '/Type /XRef /Size 3 /W [1 1 1] /Root 1 0 R'))
  },
  'a table of objects that unpacks to 4 GB': () => {
    const rows = bomb(4_000, '\u0001\u0000\u0009')
    const entries = `/Type /XRef /Size 1000000000 /W [1 1 1] /Root 1 0 R ${TWICE}`
    return withTable('<< /Type /Catalog >>', streamOf(rows, entries))
  },
  'a page tree that holds itself': () =>
    pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>']),
  'a count of a thousand million pages': () =>
    pdfOf(pagesOf([drawn('Text')]).with(1, `<< /Type /Pages /Count 1000000000 /Kids [${FIRST_PAGE} 0 R] >>`)),
  'one page a million times': () =>
    pdfOf(
      pagesOf([drawn('Text')]).with(
        1,
        `<< /Type /Pages /Count 1000000 /Kids [${`${FIRST_PAGE} 0 R `.repeat(1_000_000)}] >>`,
      ),
    ),
  'widths of two thousand million characters': () =>
    withObject(
      4,
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /W [0 2000000000 500] >>',
    ),
  'a map of two thousand million characters': () =>
    withObject(
      5,
      streamOf(
        'begincmap 1 begincodespacerange <00000000> <7fffffff> endcodespacerange 1 beginbfrange <00000000> <7fffffff> <0041> endbfrange endcmap',
      ),
    ),
  'arrays in arrays, a million deep': () =>
    pdfOf(pagesOf([drawn('Text')], { more: `/X ${deep(1_000_000)}` })),
  'arrays in arrays on a page, a million deep': () => pdfOf(pagesOf([streamOf(deep(1_000_000))])),
  'a drawing that draws itself': () => {
    const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 7 0 R /Resources << /XObject << /X 8 0 R >> >> >>`
    const form = streamOf(
      '/X Do /X Do',
      '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 8 0 R >> >>',
    )
    return pdfOf(pagesOf([streamOf('/X Do')], { after: [form] }).with(FIRST_PAGE - 1, page))
  },
  'the beginning of a PDF': () => pdfWith('Text', 'More').subarray(0, 400),
  'a PDF without its table of objects': () => pdfWith('Text').subarray(0, -200),
  'noise after the first bytes': () =>
    Buffer.from(`%PDF-1.7\n${'\u0000\u00ff(<[{/ 0 obj stream'.repeat(10_000)}`, 'latin1'),
  'nothing after the first bytes': () => Buffer.from('%PDF-'),
}
