import { memo } from 'react'
import remend from 'remend'
import { useMessages } from '../messages/messages-context.tsx'
import { GrowingEnd } from './fenced-block.tsx'
import { markdownCost } from './markdown-cost.ts'
import { useMathPlugins } from './math.ts'
import { normalizeMath } from './normalize-math.ts'
import { PlainText } from './plain-text.tsx'
import { RenderGuard } from './render-guard.tsx'
import { shortenMarks } from './shorten-marks.ts'
import { openFence, splitSettled } from './split-settled.ts'
import { toElementsWith } from './to-elements.ts'
import { useSlices } from './use-slices.ts'

export type MarkdownRendererProps = { text: string; streaming: boolean }

/** Characters of a text that is formatted at all. */
const TEXT_CHARACTERS = 2_000_000
/** The work of one text, as `markdownCost` counts it: about 50 times that of a reply of 1 MB in usual prose. */
const MOST_COST = 200_000_000

/**
 * Draws markdown in chunks of which only the last, while it streams, is ever drawn again. What would take too long to
 * parse or to draw is shown as plain text.
 */
export function MarkdownRenderer({ text, streaming }: MarkdownRendererProps) {
  const { markdown } = useMessages()
  const shown = shortenMarks(text)
  const chunks = shown.length > TEXT_CHARACTERS ? [] : splitSettled(shown)
  const drawn = useSlices(chunks.length)
  if (chunks.length === 0) return <Plain text={shown} note={markdown.tooLong} />
  let cost = 0
  return (
    <div className="prose">
      {chunks.map((chunk, at) => {
        const total = cost + markdownCost(chunk)
        if (total <= MOST_COST) cost = total
        const growing = streaming && at === chunks.length - 1
        return total > MOST_COST ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is its place in the text
          <PlainText key={at} text={chunk} note={markdown.tooComplex} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a chunk is its place in the text
          <Chunk key={at} text={chunk} streaming={growing} waits={at >= drawn && !growing} />
        )
      })}
    </div>
  )
}

function Plain({ text, note }: { text: string; note: string }) {
  return (
    <div className="prose">
      <PlainText text={text} note={note} />
    </div>
  )
}

type ChunkProps = MarkdownRendererProps & {
  /** True until there is time to format it; until then the source text is shown. */
  waits: boolean
}

const Chunk = memo(function Chunk({ text, streaming, waits }: ChunkProps) {
  const { markdown } = useMessages()
  if (waits) return <div className="prose-chunk whitespace-pre-wrap wrap-anywhere">{text}</div>
  return (
    <RenderGuard resetKey={text} fallback={() => <PlainText text={text} note={markdown.notFormatted} />}>
      <Formatted text={text} streaming={streaming} />
    </RenderGuard>
  )
})

function Formatted({ text, streaming }: MarkdownRendererProps) {
  const { markdown } = useMessages()
  const source = normalizeMath(streaming && canMend(text) ? remend(text, { linkMode: 'text-only' }) : text)
  const toElements = toElementsWith(useMathPlugins(source))
  const growingEnd = streaming && openFence(source) ? source.trimEnd().length : null
  const elements = toElements(source, !streaming)
  if (elements === null) return <PlainText text={text} note={markdown.tooComplex} />
  return (
    <div className="prose-chunk">
      <GrowingEnd value={growingEnd}>{elements}</GrowingEnd>
    </div>
  )
}

/** Characters of a growing chunk whose open marks are closed: that takes time with the square of a word's length. */
const MENDED_CHARACTERS = 8_000

function canMend(text: string): boolean {
  return text.length <= MENDED_CHARACTERS || /\s/.test(text.slice(-MENDED_CHARACTERS))
}
