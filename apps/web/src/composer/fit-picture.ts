import { isPicture, LIMITS } from '@palimpsest/core/domain'

/** Bytes and pixels on a side of the largest picture that every provider takes. */
export const PICTURE_LIMITS = { bytes: 3_900_000, side: 8_000 }

/** Pixels on the longer side that are tried one after the other, and the quality of each. */
const SIDES = [4_096, 3_072, 2_048, 1_568]
const QUALITIES = [0.92, 0.8]

/**
 * A picture as the server and every model take it: scaled down when it is larger than `PICTURE_LIMITS`, and as JPEG or WebP
 * when it is in a format that models don't read. It keeps its orientation. A picture that the browser can't draw stays.
 */
export async function fitPicture(file: File): Promise<File> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (bitmap === null) return file
  try {
    const { width, height } = bitmap
    const side = Math.max(width, height)
    const fits = file.size <= PICTURE_LIMITS.bytes && side <= PICTURE_LIMITS.side
    if (fits && isPicture(file.type)) return file
    return (await scaled(bitmap, file)) ?? file
  } finally {
    bitmap.close()
  }
}

async function scaled(bitmap: ImageBitmap, file: File): Promise<File | null> {
  // JPEG has no transparency.
  const type = file.type === 'image/jpeg' || file.type === 'image/heic' ? 'image/jpeg' : 'image/webp'
  for (const longest of SIDES) {
    const scale = Math.min(1, longest / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    for (const quality of QUALITIES) {
      const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
      if (made !== null && made.size <= Math.min(PICTURE_LIMITS.bytes, LIMITS.blobBytes))
        return new File([made], renamed(file.name, made.type), { type: made.type })
    }
  }
  return null
}

function renamed(name: string, mediaType: string): string {
  const ending = mediaType === 'image/jpeg' ? 'jpg' : mediaType.slice('image/'.length)
  return `${name.replace(/\.[^.]+$/, '')}.${ending}`
}
