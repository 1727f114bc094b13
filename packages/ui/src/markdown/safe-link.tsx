import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { allowedLink } from './allowed-url.ts'

export type SafeLinkProps = {
  href?: string | undefined
  title?: string | undefined
  children?: ReactNode
}

/** An external link that sends no referrer; plain text when its address is not allowed. */
export function SafeLink({ href, title, children }: SafeLinkProps) {
  const { markdown } = useMessages()
  if (href?.startsWith('#')) return <a href={href}>{children}</a>
  const url = allowedLink(href)
  if (!url) return <span title={href}>{children}</span>
  return (
    <a href={url.href} title={title ?? url.href} target="_blank" rel="noopener noreferrer">
      {children}
      <span className="sr-only"> ({markdown.opensInNewTab})</span>
    </a>
  )
}
