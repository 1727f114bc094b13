import { createId } from '@palimpsest/core/domain'
import { type ComposerAttachment, MAX_ATTACHMENT_BYTES, readAsDataUrl } from '@palimpsest/ui'
import { useMemo, useRef, useState } from 'react'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { EMPTY_DRAFT } from '../stores/drafts.ts'
import { words } from '../words/en.ts'
import { admitFiles } from './admit-files.ts'

/** The content of a session's composer, stored in the browser, except files that are still being read. */
export function useDraft(draftKey: string) {
  const { drafts, toasts } = useApp()
  const store = useMemo(() => drafts.of(draftKey), [drafts, draftKey])
  const draft = useStore(store)
  const [reading, setReading] = useState<ComposerAttachment[]>([])
  const removed = useRef(new Set<string>())
  const complain = (message: string) => toasts.add({ tone: 'error', message })

  async function read(file: File): Promise<void> {
    const { name, size } = file
    const mediaType = file.type || 'application/octet-stream'
    const id = createId('prt')
    setReading((others) => [...others, { id, name, mediaType, size, state: { type: 'reading' } }])
    try {
      const url = await readAsDataUrl(file)
      if (removed.current.has(id)) return
      const { text, files } = store.get()
      store.set({ text, files: [...files, { id, name, mediaType, size, url }] })
    } catch {
      complain(words.unreadable(name))
    } finally {
      setReading((others) => others.filter((other) => other.id !== id))
    }
  }

  const attachments = useMemo<ComposerAttachment[]>(
    () => [
      ...draft.files.map(({ url, ...file }) => ({ ...file, state: { type: 'ready', url } as const })),
      ...reading,
    ],
    [draft.files, reading],
  )

  return {
    draft,
    attachments,
    write: (text: string) => store.set({ ...store.get(), text }),
    /** Puts words behind what is written. */
    add(more: string) {
      const { text, files } = store.get()
      store.set({ text: text.trim() === '' ? more : `${text}\n\n${more}`, files })
    },
    attach(chosen: File[]) {
      const { admitted, complaints } = admitFiles(chosen, attachments.length, MAX_ATTACHMENT_BYTES)
      complaints.forEach(complain)
      for (const file of admitted) void read(file)
    },
    detach(id: string) {
      removed.current.add(id)
      setReading((others) => others.filter((other) => other.id !== id))
      const { text, files } = store.get()
      store.set({ text, files: files.filter((file) => file.id !== id) })
    },
    /** Empties the field; the answer puts back what stood there, before what was written since. */
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
