import { defaultRehypePlugins, defaultRemarkPlugins, Streamdown } from 'streamdown'
import { lineBreakTags } from './line-break-tags.ts'
import { markdownComponents } from './markdown-components.tsx'
import { useMathPlugin } from './math.ts'
import { normalizeMath } from './normalize-math.ts'

export type MarkdownRendererProps = {
  text: string
  streaming: boolean
  byBlocks: boolean
}

// Without the plugin that parses HTML every tag stays text; the sanitiser then drops what markdown itself must not make.
const REHYPE = [defaultRehypePlugins['sanitize']].filter((plugin) => plugin !== undefined)
const REMARK = [...Object.values(defaultRemarkPlugins), lineBreakTags]
const LINKS = { enabled: false }

export function MarkdownRenderer({ text, streaming, byBlocks }: MarkdownRendererProps) {
  const source = normalizeMath(text)
  const math = useMathPlugin(source)
  return (
    <Streamdown
      className="prose"
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
}
