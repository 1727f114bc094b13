import type { ChatPart } from '@palimpsest/core/domain'
import { FileText } from 'lucide-react'
import { RemoteImage } from '../markdown/remote-image.tsx'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'

type FilePart = Extract<ChatPart, { type: 'file' }>

/** Files of a message: images are shown, others named. Remote ones load on request. `end` aligns a user message. */
export function FileParts({ parts, end = false }: { parts: readonly FilePart[]; end?: boolean }) {
  return (
    <div className={cx('flex flex-wrap gap-2', end && 'max-w-[85%] justify-end')}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the files of a message never change places
        <FileItem key={`${index}-${part.filename ?? part.mediaType}`} part={part} />
      ))}
    </div>
  )
}

function FileItem({ part }: { part: FilePart }) {
  const { message } = useMessages()
  const format = useFormat()
  const size = dataUrlBytes(part.url)
  const name = part.filename ?? message.unnamedFile
  if (part.mediaType.startsWith('image')) {
    if (!part.url.startsWith('data:')) return <RemoteImage src={part.url} alt={name} />
    return (
      <img
        src={part.url}
        alt={name}
        className="max-h-64 max-w-full rounded-lg border border-line object-contain"
      />
    )
  }
  return (
    <span className="inline-flex h-10 max-w-full items-center gap-2 rounded-lg border border-line bg-raised px-3 text-sm">
      <FileText aria-hidden size={16} className="text-faint" />
      <span className="truncate">{name}</span>
      {size !== null && <span className="shrink-0 text-xs text-faint">{format.bytes(size)}</span>}
    </span>
  )
}

/** Bytes in a base64 data URL; null for anything else. */
function dataUrlBytes(url: string): number | null {
  const data = /^data:[^,]*;base64,(?<data>.*?)=*$/s.exec(url)?.groups?.['data']
  return data === undefined ? null : Math.floor((data.length * 3) / 4)
}
