import { FileText, TextInitial, TriangleAlert, X } from 'lucide-react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { Spinner } from '../primitives/spinner.tsx'
import type { ComposerAttachment } from './attachment.ts'

export type AttachmentStripProps = {
  attachments: readonly ComposerAttachment[]
  onRemove: (id: string) => void
  /** Turns a long paste back into text. */
  onInsertText?: ((id: string) => void) | undefined
}

const ACTION =
  'flex size-6 items-center justify-center rounded-full text-faint transition hover:bg-wash-strong hover:text-ink coarse:size-11'

/** Previews of what will go with the message. */
export function AttachmentStrip({ attachments, onRemove, onInsertText }: AttachmentStripProps) {
  const { composer } = useMessages()
  return (
    <ul aria-label={composer.attachments} className="flex flex-wrap gap-2 px-3 pt-3">
      {attachments.map((attachment) => (
        <li
          key={attachment.id}
          className={cx(
            'enter relative flex h-14 max-w-64 items-center gap-2.5 overflow-hidden rounded-lg border p-1.5',
            attachment.state.type === 'failed' ? 'border-danger' : 'border-line',
          )}
        >
          <Preview attachment={attachment} />
          <Caption attachment={attachment} />
          <span className="flex shrink-0">
            {attachment.pasted && onInsertText && attachment.state.type !== 'reading' && (
              <button
                type="button"
                title={composer.insertText}
                aria-label={composer.insertTextOf(attachment.name)}
                onClick={() => onInsertText(attachment.id)}
                className={ACTION}
              >
                <TextInitial aria-hidden size={14} />
              </button>
            )}
            <button
              type="button"
              aria-label={composer.removeAttachment(attachment.name)}
              onClick={() => onRemove(attachment.id)}
              className={ACTION}
            >
              <X aria-hidden size={14} />
            </button>
          </span>
          <Progress attachment={attachment} />
        </li>
      ))}
    </ul>
  )
}

function Preview({ attachment: { state, preview } }: { attachment: ComposerAttachment }) {
  if (preview !== undefined && state.type !== 'failed') {
    return <img src={preview} alt="" className="size-10 shrink-0 rounded-md object-cover" />
  }
  return (
    <span className="flex size-10 shrink-0 items-center justify-center rounded-md bg-wash text-muted">
      {state.type === 'reading' && <Spinner />}
      {state.type === 'failed' && <TriangleAlert aria-hidden size={17} className="text-danger" />}
      {state.type !== 'reading' && state.type !== 'failed' && <FileText aria-hidden size={17} />}
    </span>
  )
}

function Caption({ attachment }: { attachment: ComposerAttachment }) {
  const { composer } = useMessages()
  const format = useFormat()
  const { state } = attachment
  return (
    <span className="min-w-0 grow text-xs">
      <span className="block truncate">{attachment.name}</span>
      <span className={cx('block truncate', state.type === 'failed' ? 'text-danger' : 'text-faint')}>
        {state.type === 'reading' && composer.reading}
        {state.type === 'uploading' && composer.uploading(format.percent(state.sent))}
        {state.type === 'waiting' && composer.uploadWaits}
        {state.type === 'ready' && format.bytes(attachment.size)}
        {state.type === 'failed' && state.reason}
      </span>
    </span>
  )
}

function Progress({ attachment: { state, name } }: { attachment: ComposerAttachment }) {
  const { composer } = useMessages()
  if (state.type !== 'uploading' && state.type !== 'waiting') return null
  return (
    <progress
      aria-label={composer.uploadOf(name)}
      value={state.sent}
      max={1}
      className="upload-progress absolute inset-x-0 bottom-0 h-0.5 w-full"
    />
  )
}
