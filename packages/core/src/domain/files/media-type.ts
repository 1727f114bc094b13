import type { ModelInfo } from '../model/model.ts'

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['image/heif', 'image/heic'],
  ['image/x-ms-bmp', 'image/bmp'],
  ['audio/mp3', 'audio/mpeg'],
  ['audio/x-wav', 'audio/wav'],
  ['audio/wave', 'audio/wav'],
  ['audio/vnd.wave', 'audio/wav'],
  ['audio/x-m4a', 'audio/mp4'],
  ['audio/m4a', 'audio/mp4'],
  ['audio/x-flac', 'audio/flac'],
  ['video/x-m4v', 'video/mp4'],
])

/** Types outside `text/` whose content is text. */
const TEXTS =
  /^(text\/.+|application\/(.+\+)?(json|xml|yaml)|application\/(ld\+json|x-ndjson|jsonl|javascript|ecmascript|typescript|x-javascript|x-typescript|x-yaml|toml|sql|x-sh|x-httpd-php|x-python|graphql)|image\/svg\+xml|message\/rfc822)$/

/** Pictures that browsers draw without running anything. */
const PICTURES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

const MEDIA_TYPE = /^[a-z0-9][\w.+-]{0,99}\/[a-z0-9][\w.+-]{0,99}$/

/** A media type in lower case, without parameters and by its usual name; null for what is none. */
export function mediaTypeOf(value: string): string | null {
  const bare = value.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!MEDIA_TYPE.test(bare)) return null
  return ALIASES.get(bare) ?? bare
}

/** Whether files of a type are text. SVG and HTML are. */
export function isTextType(mediaType: string): boolean {
  return TEXTS.test(mediaTypeOf(mediaType) ?? '')
}

/** Whether files of a type are pictures that a page shows and that models take. */
export function isPicture(mediaType: string): boolean {
  return PICTURES.has(mediaTypeOf(mediaType) ?? '')
}

/**
 * What a model must take as input to read files of a type; null when no model does. Text files are sent as text. Of
 * images providers take PNG, JPEG, GIF and WebP.
 */
export function inputKind(mediaType: string): ModelInfo['inputs'][number] | null {
  if (isTextType(mediaType)) return 'text'
  if (isPicture(mediaType)) return 'image'
  const known = mediaTypeOf(mediaType)
  if (known === 'application/pdf') return 'pdf'
  const kind = known?.split('/')[0]
  return kind === 'audio' || kind === 'video' ? kind : null
}
