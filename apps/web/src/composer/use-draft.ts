import { createId, dataUrlContent, LIMITS } from '@palimpsest/core/domain'
import { type ComposerAttachment, lazyModule, PASTED_TEXT, readAsDataUrl, whenLoaded } from '@palimpsest/ui'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { type DraftFile, EMPTY_DRAFT } from '../stores/drafts.ts'
import type { UploadState } from '../stores/uploads.ts'
import { words } from '../words/en.ts'
import { admitFiles } from './admit-files.ts'
import { useFilePreviews } from './use-file-previews.ts'

/** The content of a session's composer, stored in the browser, except files that are still being read. */
export function useDraft(draftKey: string) {
  const { drafts, toasts, uploads } = useApp()
  const store = useMemo(() => drafts.of(draftKey), [drafts, draftKey])
  const draft = useStore(store)
  const states = useStore(uploads.states)
  const [reading, setReading] = useState<ComposerAttachment[]>([])
  const removed = useRef(new Set<string>())
  const previews = useFilePreviews(draft.files)
  const complain = (message: string) => toasts.add({ tone: 'error', message })

  useEffect(() => {
    for (const file of draft.files) {
      uploads.ensure(file, (url) => {
        const { text, files } = store.get()
        store.set({ text, files: files.map((other) => (other.id === file.id ? { ...other, url } : other)) })
      })
    }
  }, [draft.files, store, uploads])

  async function read(chosen: File): Promise<void> {
    const id = createId('prt')
    const { name, size } = chosen
    const facts = { id, name, mediaType: chosen.type || 'application/octet-stream', size }
    setReading((others) => [...others, { ...facts, state: { type: 'reading' } }])
    try {
      const file = await prepared(chosen, id)
      if (file === null) complain(words.tooLarge(name, LIMITS.blobBytes))
      else await drafts.addFile(draftKey, file, () => !removed.current.has(id))
    } catch {
      complain(words.unreadable(name))
    } finally {
      setReading((others) => others.filter((other) => other.id !== id))
    }
  }

  const attachments = useMemo<ComposerAttachment[]>(
    () => [
      ...draft.files.map(({ id, name, mediaType, size, url }) => {
        const preview = previews.get(id)
        const state = url === '' ? (states.get(id) ?? BEGUN) : ({ type: 'ready' } as const)
        return {
          ...{ id, name, mediaType, size, state },
          ...(preview !== undefined && { preview }),
          pasted: name === PASTED_TEXT,
        }
      }),
      // One that has just entered the draft is still among these for a moment.
      ...reading.filter(({ id }) => !draft.files.some((file) => file.id === id)),
    ],
    [draft.files, reading, states, previews],
  )

  function detach(id: string): void {
    removed.current.add(id)
    uploads.cancel(id)
    setReading((others) => others.filter((other) => other.id !== id))
    const { text, files } = store.get()
    store.set({ text, files: files.filter((file) => file.id !== id) })
  }

  /** Puts words behind what is written. */
  function add(more: string): void {
    const { text, files } = store.get()
    store.set({ text: text.trim() === '' ? more : `${text}\n\n${more}`, files })
  }

  return {
    draft,
    attachments,
    write: (text: string) => store.set({ ...store.get(), text }),
    add,
    attach(chosen: File[]) {
      const { admitted, complaints } = admitFiles(chosen, attachments.length, LIMITS.blobBytes)
      complaints.forEach(complain)
      for (const file of admitted) void read(file)
    },
    detach,
    /** Puts the words of a long paste into the field, in place of its file. */
    insertText(id: string) {
      const file = store.get().files.find((other) => other.id === id)
      if (file === undefined) return
      void textOf(file).then(
        (text) => {
          // It may have been sent, taken out or put into the field while it was read.
          if (!store.get().files.some((other) => other.id === id)) return
          detach(id)
          add(text)
        },
        () => complain(words.unreadable(file.name)),
      )
    },
    /** Empties the field; the answer puts back the former text before what was written since. */
    clear() {
      const before = store.get()
      store.set(EMPTY_DRAFT)
      return () => {
        const { text, files } = store.get()
        const words = [before.text, text].filter((piece) => piece.trim() !== '')
        store.set({ text: words.join('\n\n'), files: [...before.files, ...files] })
      }
    },
  }
}

/** Preloaded: a picture can be attached while the server is out of reach. */
export const pictureFitting = lazyModule(() => import('./fit-picture.ts'))

const BEGUN: UploadState = { type: 'waiting', sent: 0 }

/** A file as a draft keeps it: a small one in its URL, a larger one with its bytes; null when it is too large. */
async function prepared(chosen: File, id: string): Promise<DraftFile | null> {
  const file = chosen.type.startsWith('image/') ? await fitted(chosen) : chosen
  if (file.size > LIMITS.blobBytes) return null
  const facts = { id, name: file.name, mediaType: file.type || 'application/octet-stream', size: file.size }
  if (file.size <= LIMITS.inlineFileBytes) return { ...facts, url: await readAsDataUrl(file) }
  // A file on a disk can change or go; these bytes stay.
  return { ...facts, url: '', bytes: new Blob([await file.arrayBuffer()], { type: file.type }) }
}

async function fitted(file: File): Promise<File> {
  const { fitPicture } = await whenLoaded(pictureFitting)
  return await fitPicture(file)
}

async function textOf({ url, bytes }: DraftFile): Promise<string> {
  if (bytes !== undefined) return await bytes.text()
  return new TextDecoder().decode(dataUrlContent(url) ?? new Uint8Array())
}
