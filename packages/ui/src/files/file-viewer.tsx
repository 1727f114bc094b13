import { type FilePart, fileBytes, isPicture, isTextType } from '@palimpsest/core/domain'
import { ChevronLeft, ChevronRight, Download, FileText } from 'lucide-react'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Dialog } from '../popups/dialog.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { downloadOf } from './file-source.ts'
import { readFileText } from './read-file-text.ts'

export type FileViewerProps = {
  files: readonly FilePart[]
  /** The file that is shown; null while the viewer is closed. */
  index: number | null
  onMove: (index: number) => void
  onClose: () => void
}

/** Shows the files of a message one at a time, as large as the window allows. The arrow keys go from one to the next. */
export function FileViewer({ files, index, onMove, onClose }: FileViewerProps) {
  const { message, files: words } = useMessages()
  // The last file stays in place while the dialog closes.
  const [last, setLast] = useState(index)
  if (index !== null && index !== last) setLast(index)
  const place = last ?? 0
  const part = files[place]
  if (part === undefined) return null
  const move = (by: number) => {
    const next = place + by
    if (next >= 0 && next < files.length) onMove(next)
  }
  const handleKey = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') move(-1)
    if (key === 'ArrowRight') move(1)
  }
  const name = part.filename ?? message.unnamedFile
  return (
    <Dialog
      open={index !== null}
      onOpenChange={(open) => open || onClose()}
      title={name}
      closable
      className="max-w-[min(72rem,calc(100vw-2rem))]"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys work wherever the focus is in the dialog */}
      <div onKeyDown={handleKey} className="flex min-h-0 flex-col">
        <Facts part={part} place={place} count={files.length} />
        <div className="flex min-h-0 grow justify-center overflow-auto px-5">
          <Content key={`${place}-${part.url.length}`} part={part} name={name} />
        </div>
        <div className="flex items-center gap-1 px-3 py-3">
          {files.length > 1 && (
            <>
              <IconButton label={words.previous} disabled={place === 0} onClick={() => move(-1)}>
                <ChevronLeft aria-hidden size={17} />
              </IconButton>
              <IconButton label={words.next} disabled={place === files.length - 1} onClick={() => move(1)}>
                <ChevronRight aria-hidden size={17} />
              </IconButton>
            </>
          )}
          <a
            href={downloadOf(part)}
            download={part.filename ?? ''}
            className="ml-auto inline-flex h-control items-center gap-2 rounded-md border border-line px-3 hover:bg-wash"
          >
            <Download aria-hidden size={16} />
            {words.download}
          </a>
        </div>
      </div>
    </Dialog>
  )
}

function Facts({ part, place, count }: { part: FilePart; place: number; count: number }) {
  const { files: words } = useMessages()
  const format = useFormat()
  const size = fileBytes(part)
  const facts = [
    part.mediaType,
    ...(size === null ? [] : [format.bytes(size)]),
    ...(count > 1 ? [words.place(place + 1, count)] : []),
  ]
  return <p className="px-5 pt-1 pb-3 text-sm text-muted">{facts.join(' · ')}</p>
}

function Content({ part, name }: { part: FilePart; name: string }) {
  const { files: words } = useMessages()
  const [failed, setFailed] = useState(false)
  if (isTextType(part.mediaType)) return <TextContent part={part} />
  if (isPicture(part.mediaType) && !failed)
    return (
      <img
        src={part.url}
        alt={name}
        onError={() => setFailed(true)}
        className="max-h-[70dvh] min-h-24 max-w-full object-contain"
      />
    )
  return (
    <p className="flex min-h-40 flex-col items-center justify-center gap-3 text-muted">
      <FileText aria-hidden size={28} />
      {failed ? words.missing : part.mediaType === 'application/pdf' ? words.pdf : words.notShown}
    </p>
  )
}

function TextContent({ part }: { part: FilePart }) {
  const { files: words } = useMessages()
  const [read, setRead] = useState<{ text: string; whole: boolean } | 'failed' | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    readFileText(part, stop.signal).then(setRead, () => stop.signal.aborted || setRead('failed'))
    return () => stop.abort()
  }, [part])
  if (read === null) return <p className="min-h-40 text-muted">{words.loading}</p>
  if (read === 'failed') return <p className="min-h-40 text-muted">{words.missing}</p>
  return (
    <textarea
      readOnly
      aria-label={part.filename ?? part.mediaType}
      value={read.whole ? read.text : `${read.text}\n\n${words.cut}`}
      className="h-[60dvh] w-[60rem] max-w-full resize-none rounded-lg border border-line bg-inset p-4 font-code text-sm"
    />
  )
}
