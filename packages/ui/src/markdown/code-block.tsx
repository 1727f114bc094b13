import { memo, useRef, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { CopyButton } from '../popups/copy-button.tsx'
import { cx } from '../primitives/cx.ts'
import type { CodeToken } from './highlight.ts'
import { useHighlighted } from './use-highlighted.ts'
import { useOverflow } from './use-overflow.ts'
import { WideTools } from './wide-tools.tsx'

export type CodeBlockProps = {
  code: string
  /** As the fence names it; empty for none. */
  language: string
  /** True while the fence is open and its text still grows. */
  incomplete: boolean
}

/** Lines that are drawn one by one. */
const MOST_LINES = 5_000

/**
 * Code with its language, a copy button, and colours as soon as they are there. Lines that are cut fade at the edge, and
 * can be wrapped or shown as wide as the window.
 */
export function CodeBlock({ code, language, incomplete }: CodeBlockProps) {
  const { markdown } = useMessages()
  const lines = useHighlighted(code, language, incomplete)
  const name = language || markdown.plainText
  const scroller = useRef<HTMLPreElement>(null)
  const cut = useOverflow(scroller)
  const [wrapped, setWrapped] = useState(false)
  const text =
    lines.length > MOST_LINES
      ? code
      : lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
          <Line key={at} line={line} />
        ))
  return (
    <figure className="code-block" aria-label={markdown.code(name)}>
      <figcaption className="code-head">
        <span>{name}</span>
        <span className="flex">
          {(cut || wrapped) && (
            <WideTools wrapped={wrapped} onWrap={setWrapped} title={markdown.code(name)}>
              <div className="code-block">
                <pre>
                  <code>{text}</code>
                </pre>
              </div>
            </WideTools>
          )}
          <CopyButton label={markdown.copyCode} copiedLabel={markdown.copied} text={() => code} />
        </span>
      </figcaption>
      <div className="wide">
        <pre
          ref={scroller}
          className={cx(wrapped && 'wrapped')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
          tabIndex={0}
        >
          <code>{text}</code>
        </pre>
      </div>
    </figure>
  )
}

const Line = memo(function Line({ line }: { line: CodeToken[] | string }) {
  if (typeof line === 'string') return `${line}\n`
  return (
    <>
      {line.map((token) => (
        <span key={token.offset} style={{ color: token.color }}>
          {token.content}
        </span>
      ))}
      {'\n'}
    </>
  )
})
