/** A file of text: its text without the byte order mark, and what to write it back with. */
export type TextFile = { text: string; encoding: TextEncoding; bom: boolean }

type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be'

const MARKS: readonly { encoding: TextEncoding; mark: readonly number[] }[] = [
  { encoding: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
]

const NEW_FILE = { encoding: 'utf-8', bom: false } as const

/** Decodes UTF-8, and UTF-16 with a byte order mark. Null for every other encoding and for what holds a NUL, which is no text. */
export function decodeText(bytes: Uint8Array): TextFile | null {
  const marked = MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte))
  const { encoding, mark } = marked ?? { encoding: 'utf-8', mark: [] }
  try {
    const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
    const text = decoder.decode(bytes.subarray(mark.length))
    return text.includes('\0') ? null : { text, encoding, bom: marked !== undefined }
  } catch {
    return null
  }
}

/** The bytes of a text in the encoding of `like`, the file before; a new file is UTF-8. */
export function encodeText(
  text: string,
  { encoding, bom }: Omit<TextFile, 'text'> = NEW_FILE,
): Uint8Array<ArrayBuffer> {
  const mark = bom ? (MARKS.find((known) => known.encoding === encoding)?.mark ?? []) : []
  const body = encoding === 'utf-8' ? new TextEncoder().encode(text) : encodeUtf16(text, encoding)
  const bytes = new Uint8Array(mark.length + body.length)
  bytes.set(mark)
  bytes.set(body, mark.length)
  return bytes
}

function encodeUtf16(text: string, encoding: 'utf-16le' | 'utf-16be'): Uint8Array {
  const wellFormed = text.toWellFormed()
  const bytes = new Uint8Array(wellFormed.length * 2)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < wellFormed.length; index++)
    view.setUint16(index * 2, wellFormed.charCodeAt(index), encoding === 'utf-16le')
  return bytes
}
