import { memo } from 'react'
import remend from 'remend'
import { GrowingEnd } from './fenced-block.tsx'
import { useMathPlugins } from './math.ts'
import { normalizeMath } from './normalize-math.ts'
import { openFence, splitSettled } from './split-settled.ts'
import { toElementsWith } from './to-elements.ts'

export type MarkdownRendererProps = { text: string; streaming: boolean }

/** Draws markdown in chunks of which only the last, while it streams, is ever drawn again. */
export function MarkdownRenderer({ text, streaming }: MarkdownRendererProps) {
  const chunks = splitSettled(text)
  return (
    <div className="prose">
      {chunks.map((chunk, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is its place in the text
        <Chunk key={at} text={chunk} streaming={streaming && at === chunks.length - 1} />
      ))}
    </div>
  )
}

const Chunk = memo(function Chunk({ text, streaming }: MarkdownRendererProps) {
  const source = normalizeMath(streaming ? remend(text, { linkMode: 'text-only' }) : text)
  const toElements = toElementsWith(useMathPlugins(source))
  const growingEnd = streaming && openFence(source) ? source.trimEnd().length : null
  return (
    <div className="prose-chunk">
      <GrowingEnd value={growingEnd}>{toElements(source, !streaming)}</GrowingEnd>
    </div>
  )
})
