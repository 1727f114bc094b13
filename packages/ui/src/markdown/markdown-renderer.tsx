import { memo, useState } from 'react'
import { defaultRehypePlugins, defaultRemarkPlugins, Streamdown } from 'streamdown'
import { lineBreakTags } from './line-break-tags.ts'
import { markdownComponents } from './markdown-components.tsx'
import { useMathPlugin } from './math.ts'
import { normalizeMath } from './normalize-math.ts'
import { splitSettled } from './split-settled.ts'

// Without the plugin that parses HTML every tag stays text; the sanitiser then drops what markdown itself must not make.
const REHYPE = [defaultRehypePlugins['sanitize']].filter((plugin) => plugin !== undefined)
const REMARK = [...Object.values(defaultRemarkPlugins), lineBreakTags]
const LINKS = { enabled: false }

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
  // What has streamed keeps its blocks: another way of drawing would build the page anew under the reader.
  const [byBlocks, setByBlocks] = useState(streaming)
  if (streaming && !byBlocks) setByBlocks(true)
  const source = normalizeMath(text)
  const math = useMathPlugin(source)
  return (
    <Streamdown
      className="prose-chunk"
      mode={byBlocks ? 'streaming' : 'static'}
      isAnimating={streaming}
      parseIncompleteMarkdown={streaming}
      components={markdownComponents}
      rehypePlugins={REHYPE}
      remarkPlugins={REMARK}
      linkSafety={LINKS}
      controls={false}
      {...(math && { plugins: math })}
    >
      {source}
    </Streamdown>
  )
})
