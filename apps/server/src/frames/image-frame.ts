import { AppError } from '@palimpsest/core/domain'
import { type FrameDocument, frameDocument } from './frame-document.ts'

/** Characters of the longest accepted address. */
const ADDRESS_CHARACTERS = 4_096

/** A host that a policy can name literally: no wildcard and no sign of the policy's own syntax. */
const PLAIN_HOST = /^(?:[a-z\d.-]+|\[[\da-f:.]+\])$/

const STYLE = 'html,body,img{margin:0;display:block;width:100%;height:100%}img{object-fit:contain}'

/** Posts the image's size in pixels to the embedding page, or null when it can't be loaded. */
const REPORT = `
const image = document.images[0]
const report = (size) => parent.postMessage({ size }, '*')
image.decode().then(
  () => report({ width: image.naturalWidth, height: image.naturalHeight }),
  () => report(null),
)
`

/**
 * The frame that shows one remote image, after a click of the reader: its policy allows this image's origin and
 * no other, also after a redirect.
 */
export function imageFrame(address: string): FrameDocument {
  const url = address.length > ADDRESS_CHARACTERS ? null : URL.parse(address)
  const isPlain = url?.username === '' && url.password === '' && PLAIN_HOST.test(url.hostname)
  if (url?.protocol !== 'https:' || !isPlain) {
    throw new AppError('INVALID_INPUT', 'Images are loaded from https addresses.', { field: 'url' })
  }
  const body = `<img src="${escapeAttribute(url.href)}" alt="" referrerpolicy="no-referrer">`
  return frameDocument({ style: STYLE, body, scripts: [REPORT], images: url.origin })
}

function escapeAttribute(text: string): string {
  return text.replace(/[&"'<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
