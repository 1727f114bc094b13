/** A file on its way into a message. */
export type ComposerAttachment = {
  id: string
  name: string
  mediaType: string
  /** Bytes. */
  size: number
  /** An address of the picture that it is. */
  preview?: string
  /** Whether it is a long paste, which can be turned back into text. */
  pasted?: boolean
  state: AttachmentState
}

export type AttachmentState =
  | { type: 'reading' }
  /** `sent` is the share that has arrived, from 0 to 1. */
  | { type: 'uploading'; sent: number }
  /** The upload continues once the server answers. */
  | { type: 'waiting'; sent: number }
  | { type: 'ready' }
  | { type: 'failed'; reason: string }

/** A file as a data URL. Rejects when the file can't be read. */
export function readAsDataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read.'))
    reader.readAsDataURL(file)
  })
}
