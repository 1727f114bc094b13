import { dataUrlContent, type FilePart } from '@palimpsest/core/domain'

/** Bytes of a text file that are shown. */
const SHOWN_BYTES = 200_000

/** The beginning of a text file, and whether that is all of it. Rejects when it is no longer stored. */
export async function readFileText(
  { url }: FilePart,
  signal: AbortSignal,
): Promise<{ text: string; whole: boolean }> {
  if (url.startsWith('data:')) return decoded(dataUrlContent(url) ?? new Uint8Array())
  const response = await fetch(url, { signal, headers: { range: `bytes=0-${SHOWN_BYTES}` } })
  if (!response.ok && response.status !== EMPTY) throw new Error('The file is not there.')
  return decoded(response.ok ? new Uint8Array(await response.arrayBuffer()) : new Uint8Array())
}

/** No byte of an empty file can be asked for. */
const EMPTY = 416

function decoded(bytes: Uint8Array): { text: string; whole: boolean } {
  const whole = bytes.length <= SHOWN_BYTES
  // As a stream it leaves out a character that the cut goes through.
  const text = new TextDecoder().decode(bytes.subarray(0, SHOWN_BYTES), { stream: !whole })
  return { text, whole }
}
