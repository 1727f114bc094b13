import { blobHash, type FilePart, isInline } from '@palimpsest/core/domain'

/** Whether the bytes of a file are in its part or in this server's store. */
export function isHeld(part: FilePart): boolean {
  return isInline(part) || blobHash(part.url) !== null
}

/** Where a browser saves a file from, under its name. */
export function downloadOf({ url, filename }: FilePart): string {
  if (filename === undefined || blobHash(url) === null) return url
  return `${url}?name=${encodeURIComponent(filename)}`
}
