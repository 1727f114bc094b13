import { type FilePart, fileBytes, isPicture } from '@palimpsest/core/domain'
import { FileText } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { visibleWords } from '../exact/visible-text.ts'
import { lazyModule } from '../lazy/lazy-module.ts'
import { useLazy } from '../lazy/use-lazy.ts'
import { RemoteImage } from '../markdown/remote-image.tsx'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { isHeld } from './file-source.ts'

export const fileViewer = lazyModule(() => import('./file-viewer.tsx'))

/** Files of a message: pictures are shown, others named, and each opens. Remote pictures load on request. `end` aligns a user message. */
export function FileParts({ parts, end = false }: { parts: readonly FilePart[]; end?: boolean }) {
  const [opened, setOpened] = useState<number | null>(null)
  const loaded = useLazy(fileViewer, opened !== null)
  const held = parts.filter(isHeld)
  return (
    <div className={cx('flex flex-wrap gap-2', end && 'max-w-[85%] justify-end not-last:mb-2')}>
      {parts.map((part, index) => (
        <FileItem
          // biome-ignore lint/suspicious/noArrayIndexKey: the files of a message never change places
          key={`${index}-${part.filename ?? part.mediaType}`}
          part={part}
          onOpen={() => setOpened(held.indexOf(part))}
        />
      ))}
      {loaded && (
        <loaded.FileViewer files={held} index={opened} onMove={setOpened} onClose={() => setOpened(null)} />
      )}
    </div>
  )
}

function FileItem({ part, onOpen }: { part: FilePart; onOpen: () => void }) {
  const { message, files } = useMessages()
  const format = useFormat()
  const size = fileBytes(part)
  const name = visibleWords(part.filename ?? message.unnamedFile)
  const open = (event: MouseEvent) => {
    event.preventDefault()
    onOpen()
  }
  if (part.mediaType.startsWith('image') && !isHeld(part)) return <RemoteImage src={part.url} alt={name} />
  if (isHeld(part) && isPicture(part.mediaType))
    return (
      <button type="button" aria-label={files.open(name)} onClick={open} className="block rounded-lg">
        <img
          src={part.url}
          alt={name}
          loading="lazy"
          className="block h-48 max-w-full rounded-lg border border-line bg-wash object-contain"
        />
      </button>
    )
  const content = (
    <>
      <FileText aria-hidden size={16} className="shrink-0 text-faint" />
      <span className="truncate">{name}</span>
      {size !== null && <span className="shrink-0 text-xs text-faint">{format.bytes(size)}</span>}
    </>
  )
  const look =
    'inline-flex h-10 max-w-full items-center gap-2 rounded-lg border border-line bg-raised px-3 text-sm coarse:h-11'
  if (!isHeld(part)) return <span className={look}>{content}</span>
  return (
    <button
      type="button"
      aria-label={files.open(name)}
      onClick={open}
      className={cx(look, 'transition hover:border-line-strong')}
    >
      {content}
    </button>
  )
}
