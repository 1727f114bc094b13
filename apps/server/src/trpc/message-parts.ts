import { blobHash, LIMITS } from '@palimpsest/core/domain'
import { z } from 'zod'

const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/
const DATA_URL_HEAD = /^data:[\w.+-]+\/[\w.+-]+(;[\w.+-]+=[\w.+-]+)*;base64,/
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

const text = z.strictObject({
  type: z.literal('text'),
  text: z.string().max(LIMITS.messageCharacters),
})

const file = z.strictObject({
  type: z.literal('file'),
  mediaType: z.string().regex(MEDIA_TYPE, 'takes a media type such as image/png'),
  filename: z.string().max(255).exactOptional(),
  url: z
    .string()
    .max(LIMITS.fileCharacters)
    .refine(
      (url) => isDataUrl(url) || blobHash(url) !== null,
      'takes a base64 data URL or the path of an upload',
    ),
})

/** The parts of a message from a caller: text, and files that contain their bytes or name an upload. */
export const messageParts = z
  .array(z.discriminatedUnion('type', [text, file]))
  .min(1)
  .max(LIMITS.partsPerMessage)
  .refine(
    (parts) => parts.some((part) => part.type === 'file' || part.text.trim() !== ''),
    'hold no text and no file',
  )
  .refine(
    (parts) => parts.filter((part) => part.type === 'file').length <= LIMITS.filesPerMessage,
    `hold more than ${LIMITS.filesPerMessage} files`,
  )
  .refine(
    (parts) =>
      sum(parts.map((part) => (part.type === 'text' ? part.text.length : 0))) <= LIMITS.messageCharacters,
    `hold more than ${LIMITS.messageCharacters} characters of text`,
  )

function isDataUrl(url: string): boolean {
  const head = DATA_URL_HEAD.exec(url.slice(0, 1024))?.[0]
  return head !== undefined && BASE64.test(url.slice(head.length))
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
