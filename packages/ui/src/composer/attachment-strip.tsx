import { FileText, TriangleAlert, X } from 'lucide-react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { Spinner } from '../primitives/spinner.tsx'
import type { ComposerAttachment } from './attachment.ts'

export type AttachmentStripProps = {
  attachments: readonly ComposerAttachment[]
  onRemove: (id: string) => void
}

/** Previews of what will go with the message. */
export function AttachmentStrip({ attachments, onRemove }: AttachmentStripProps) {
  const { composer } = useMessages()
  return (
    <ul aria-label={composer.attachments} className="flex flex-wrap gap-2 px-3 pt-3">
      {attachments.map((attachment) => (
        <li
          key={attachment.id}
          className={cx(
            'enter group/file relative flex h-14 max-w-56 items-center gap-2.5 rounded-lg border p-1.5 pr-8',
            attachment.state.type === 'failed' ? 'border-danger' : 'border-line',
          )}
        >
          <Preview attachment={attachment} />
          <Caption attachment={attachment} />
          <button
            type="button"
            aria-label={composer.removeAttachment(attachment.name)}
            onClick={() => onRemove(attachment.id)}
            className="absolute top-1 right-1 flex size-6 items-center justify-center rounded-full text-faint transition hover:bg-wash-strong hover:text-ink coarse:-top-2 coarse:-right-2 coarse:size-11"
          >
            <X aria-hidden size={14} />
          </button>
        </li>
      ))}
    </ul>
  )
}

function Preview({ attachment }: { attachment: ComposerAttachment }) {
  const { state, mediaType } = attachment
  if (state.type === 'ready' && mediaType.startsWith('image/')) {
    return <img src={state.url} alt="" className="size-10 rounded-md object-cover" />
  }
  return (
    <span className="flex size-10 shrink-0 items-center justify-center rounded-md bg-wash text-muted">
      {state.type === 'reading' && <Spinner />}
      {state.type === 'failed' && <TriangleAlert aria-hidden size={17} className="text-danger" />}
      {state.type === 'ready' && <FileText aria-hidden size={17} />}
    </span>
  )
}

function Caption({ attachment }: { attachment: ComposerAttachment }) {
  const { composer } = useMessages()
  const format = useFormat()
  const { state } = attachment
  return (
    <span className="min-w-0 text-xs">
      <span className="block truncate">{attachment.name}</span>
      <span className={cx('block truncate', state.type === 'failed' ? 'text-danger' : 'text-faint')}>
        {state.type === 'reading' && composer.reading}
        {state.type === 'ready' && format.bytes(attachment.size)}
        {state.type === 'failed' && state.reason}
      </span>
    </span>
  )
}
