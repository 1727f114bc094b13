import { lazy, memo, Suspense } from 'react'

const load = () => import('./markdown-renderer.tsx')
const Renderer = lazy(() => load().then((module) => ({ default: module.MarkdownRenderer })))

/** Fetches the renderer before the first message needs it. */
export function preloadMarkdown(): void {
  void load()
}

export type MarkdownProps = {
  text: string
  /** True while the text grows. */
  streaming: boolean
}

/** Text as markdown, safe to show whatever it holds. Until the renderer is there it shows as it was written. */
export const Markdown = memo(function Markdown({ text, streaming }: MarkdownProps) {
  return (
    <Suspense fallback={<div className="prose whitespace-pre-wrap">{text}</div>}>
      <Renderer text={text} streaming={streaming} />
    </Suspense>
  )
})
