import { Image as ImageIcon, ImageOff } from 'lucide-react'
import { useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { allowedImage } from './allowed-url.ts'
import { ImageFrame } from './image-frame.tsx'

export type RemoteImageProps = {
  src?: string | undefined
  alt?: string | undefined
}

/** An image from elsewhere. Nothing is fetched until the reader asks: an address can carry what was said out. */
export function RemoteImage({ src, alt }: RemoteImageProps) {
  const { markdown } = useMessages()
  const [state, setState] = useState<'asking' | 'shown' | 'failed'>('asking')
  const url = allowedImage(src)
  const name = alt || markdown.image
  if (!url || state === 'failed') {
    return (
      <span className="inline-flex items-center gap-2 rounded-md border border-line border-dashed px-2.5 py-1 font-plain text-sm text-muted">
        <ImageOff aria-hidden size={15} />
        {name}: {url ? markdown.imageFailed(url.host) : markdown.blockedImage}
      </span>
    )
  }
  if (state === 'shown') return <ImageFrame url={url} name={name} onFailed={() => setState('failed')} />
  return (
    <button
      type="button"
      title={url.href}
      onClick={() => setState('shown')}
      className="inline-flex min-h-control max-w-full items-center gap-2 rounded-md border border-line px-3 font-plain text-sm text-muted transition hover:border-line-strong hover:text-ink"
    >
      <ImageIcon aria-hidden size={15} />
      <span className="truncate">
        {alt && `${alt} · `}
        {markdown.loadImage(url.host)}
      </span>
    </button>
  )
}
