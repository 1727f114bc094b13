import { isPicture } from '@palimpsest/core/domain'
import { useEffect, useState } from 'react'
import type { DraftFile } from '../stores/drafts.ts'

/** An address of each picture among the files, by the file's id. */
export function useFilePreviews(files: readonly DraftFile[]): ReadonlyMap<string, string> {
  const [previews, setPreviews] = useState<ReadonlyMap<string, string>>(new Map())

  useEffect(() => {
    const pictures = files.filter(({ mediaType }) => isPicture(mediaType))
    const made = pictures.map(({ id, url, bytes }): [string, string] => [
      id,
      bytes === undefined ? url : URL.createObjectURL(bytes),
    ])
    setPreviews((before) => (before.size === 0 && made.length === 0 ? before : new Map(made)))
    return () => {
      for (const [, url] of made) if (url.startsWith('blob:')) URL.revokeObjectURL(url)
    }
  }, [files])

  return previews
}
