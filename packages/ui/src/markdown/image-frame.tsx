import { useEffect, useRef, useState } from 'react'

export type ImageFrameProps = {
  url: URL
  name: string
  onFailed: () => void
}

type Size = { width: number; height: number }

/** Pixels that an image is high at most, and before its size is known. */
const MOST_HIGH = 384
const UNKNOWN: Size = { width: 320, height: 180 }

/**
 * An image from elsewhere in a sandboxed frame of the server's, whose policy allows requests to this image's origin
 * alone. The page's own policy allows none.
 */
export function ImageFrame({ url, name, onFailed }: ImageFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [size, setSize] = useState(UNKNOWN)
  useEffect(() => {
    const receive = ({ source, data }: MessageEvent<unknown>) => {
      if (source !== frame.current?.contentWindow) return
      const reported = readSize(data)
      if (reported === null) onFailed()
      else setSize(reported)
    }
    window.addEventListener('message', receive)
    return () => window.removeEventListener('message', receive)
  }, [onFailed])
  return (
    <iframe
      ref={frame}
      src={`/frames/image?url=${encodeURIComponent(url.href)}`}
      title={name}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      style={{
        width: Math.min(size.width, (MOST_HIGH * size.width) / size.height),
        aspectRatio: `${size.width} / ${size.height}`,
        // A frame is painted opaque when its colour scheme is not that of its document, which is light.
        colorScheme: 'light',
      }}
      className="block max-w-full rounded-lg"
    />
  )
}

/** The size that the frame posted; null when it could not load the image. */
function readSize(data: unknown): Size | null {
  const size: unknown = typeof data === 'object' && data !== null && 'size' in data ? data.size : null
  if (typeof size !== 'object' || size === null || !('width' in size) || !('height' in size)) return null
  const { width, height } = size
  const isSize = typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0
  return isSize ? { width, height } : null
}
