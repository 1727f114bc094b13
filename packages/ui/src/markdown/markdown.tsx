import { memo } from 'react'
import { lazyModule } from '../lazy/lazy-module.ts'
import { useLazy } from '../lazy/use-lazy.ts'
import { shortenMarks } from './shorten-marks.ts'
import { withoutMarks } from './without-marks.ts'

/** The markdown renderer, loaded lazily; a page that expects a message preloads it. */
export const markdownRenderer = lazyModule(() =>
  import('./markdown-renderer.tsx').then((module) => module.MarkdownRenderer),
)

export type MarkdownProps = {
  text: string
  /** True while the text grows. */
  streaming: boolean
}

/** Renders text as markdown, safely whatever it contains. Shows plain text until the renderer is loaded. */
export const Markdown = memo(function Markdown({ text, streaming }: MarkdownProps) {
  const Renderer = useLazy(markdownRenderer)
  if (Renderer === null) return <div className="prose whitespace-pre-wrap">{beforeDrawn(text)}</div>
  return <Renderer text={text} streaming={streaming} />
})

/** Characters that are shown until the renderer is loaded. */
const WAITING_CHARACTERS = 20_000

function beforeDrawn(text: string): string {
  return withoutMarks(shortenMarks(text.slice(0, WAITING_CHARACTERS)))
}
