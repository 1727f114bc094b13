import { deflateSync } from 'node:zlib'

type PdfObject = string | Buffer

/** A PDF of these objects, numbered from 1; the first is its catalogue. `trailer` has more entries. */
export function pdfOf(objects: readonly PdfObject[], trailer = ''): Buffer {
  const pieces = [Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')]
  const places: number[] = []
  let at = lengthOf(pieces)
  for (const [index, object] of objects.entries()) {
    const piece = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      toBuffer(object),
      Buffer.from('\nendobj\n'),
    ])
    places.push(at)
    pieces.push(piece)
    at += piece.length
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${rows}`
  const end = `trailer\n<< /Size ${count} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([...pieces, Buffer.from(table + end)])
}

/** An object with a stream; the bytes are as its filters in `entries` left them. */
export function streamOf(bytes: Uint8Array | string, entries = ''): Buffer {
  const body = toBuffer(bytes)
  return Buffer.concat([
    Buffer.from(`<< /Length ${body.length} ${entries} >>\nstream\n`),
    body,
    Buffer.from('\nendstream'),
  ])
}

/** Objects of a document whose pages are these drawings; `more` entries are for its catalogue, `after` follows them. */
export function pagesOf(
  drawings: readonly PdfObject[],
  { more = '', after = [] as readonly PdfObject[] } = {},
): PdfObject[] {
  const kids = drawings.map((_, index) => `${FIRST_PAGE + 2 * index} 0 R`)
  return [
    `<< /Type /Catalog /Pages 2 0 R ${more} >>`,
    `<< /Type /Pages /Count ${kids.length} /Kids [${kids.join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>',
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 >>',
    streamOf(deflateSync(TO_UNICODE), '/Filter /FlateDecode'),
    ...drawings.flatMap((drawing, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${FIRST_PAGE + 2 * index + 1} 0 R /Resources << /Font << /F 3 0 R >> >> >>`,
      drawing,
    ]),
    ...after,
  ]
}

/** The number of the first page's object: its drawing is the next one, then the next page. */
export const FIRST_PAGE = 6

/** What draws lines of any characters of the basic plane. */
export function drawn(...lines: readonly string[]): Buffer {
  const shown = lines.map((line) => `<${Buffer.from(line, 'utf16le').swap16().toString('hex')}> Tj T*`)
  return streamOf(deflateSync(`BT /F 10 Tf 50 800 Td 12 TL ${shown.join(' ')} ET`), '/Filter /FlateDecode')
}

/** A PDF with a page for each text. */
export function pdfWith(...texts: readonly string[]): Buffer {
  return pdfOf(pagesOf(texts.map((text) => drawn(...text.split('\n')))))
}

/** Code `n` of the font is the character U+n. */
const TO_UNICODE = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def
1 begincodespacerange <0000> <ffff> endcodespacerange
100 beginbfrange
${Array.from({ length: 256 }, (_, high) => high.toString(16).padStart(2, '0'))
  .map((high) => `<${high}00> <${high}ff> <${high}00>`)
  .join('\n')}
endbfrange
endcmap end end`

function toBuffer(value: PdfObject | Uint8Array): Buffer {
  return typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.from(value)
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}
