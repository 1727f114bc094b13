import { memo } from 'react'
import { lateModule } from '../late/late-module.ts'
import { useLate } from '../late/use-late.ts'
import { shortenMarks } from './shorten-marks.ts'
import { withoutMarks } from './without-marks.ts'

/** What draws markdown. Whoever knows that a message will come fetches it before. */
export const markdownRenderer = lateModule(() =>
  import('./markdown-renderer.tsx').then((module) => module.MarkdownRenderer),
)

export type MarkdownProps = {
  text: string
  /** True while the text grows. */
  streaming: boolean
}

/** Text as markdown, safe to show whatever it holds. Until the renderer is there its words stand in its place. */
export const Markdown = memo(function Markdown({ text, streaming }: MarkdownProps) {
  const Renderer = useLate(markdownRenderer)
  if (Renderer === null) return <div className="prose whitespace-pre-wrap">{beforeDrawn(text)}</div>
  return <Renderer text={text} streaming={streaming} />
})

/** Characters that stand there until the renderer has come. */
const WAITING_CHARACTERS = 20_000

function beforeDrawn(text: string): string {
  return withoutMarks(shortenMarks(text.slice(0, WAITING_CHARACTERS)))
}
