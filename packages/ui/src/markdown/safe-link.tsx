import type { ReactNode } from 'react'
import { visibleWords } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { allowedLink } from './allowed-url.ts'
import { realHost } from './real-host.ts'

export type SafeLinkProps = {
  href?: string | undefined
  title?: string | undefined
  /** The words of `children`, where these are not a text themselves. */
  text?: string
  children?: ReactNode
}

/**
 * An external link that sends no referrer; plain text when its address is not allowed. Where its words look like another address, the
 * host that it leads to is behind them.
 */
export function SafeLink({ href, title, text, children }: SafeLinkProps) {
  const { markdown } = useMessages()
  if (href?.startsWith('#')) return <a href={href}>{children}</a>
  const url = allowedLink(href)
  if (!url) return <span title={href}>{children}</span>
  const host = realHost(text ?? (typeof children === 'string' ? children : ''), url)
  return (
    <a
      href={url.href}
      title={title === undefined ? url.href : `${visibleWords(title)}\n${url.href}`}
      target="_blank"
      rel="noopener noreferrer"
    >
      <bdi>{children}</bdi>
      {host !== null && <bdi> ({host})</bdi>}
      <span className="sr-only"> ({markdown.opensInNewTab})</span>
    </a>
  )
}
