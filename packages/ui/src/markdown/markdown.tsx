import { lazy, memo, Suspense, useState } from 'react'

const load = () => import('./markdown-renderer.tsx')
const Renderer = lazy(() => load().then((module) => ({ default: module.MarkdownRenderer })))

/** Fetches the renderer before the first message needs it. */
export function preloadMarkdown(): void {
  void load()
}

export type MarkdownProps = { text: string; streaming: boolean }

/**
 * Text as markdown, safe to show whatever it holds. While it streams only its last block is drawn again;
 * text that was finished when it first appeared takes a cheaper way.
 */
export const Markdown = memo(function Markdown({ text, streaming }: MarkdownProps) {
  // A change of way would build the page anew under the reader, so what has streamed keeps its blocks.
  const [byBlocks, setByBlocks] = useState(streaming)
  if (streaming && !byBlocks) setByBlocks(true)
  return (
    <Suspense fallback={<div className="prose whitespace-pre-wrap">{text}</div>}>
      <Renderer text={text} streaming={streaming} byBlocks={byBlocks} />
    </Suspense>
  )
})
