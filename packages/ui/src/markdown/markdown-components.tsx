import type { Nodes } from 'hast'
import type { Components, ExtraProps } from 'hast-util-to-jsx-runtime'
import { Square, SquareCheck } from 'lucide-react'
import type { ComponentProps } from 'react'
import { INCOMPLETE_IMAGE_PLACEHOLDER } from 'remend'
import { useMessages } from '../messages/messages-context.tsx'
import { FencedBlock } from './fenced-block.tsx'
import { RemoteImage } from './remote-image.tsx'
import { SafeLink } from './safe-link.tsx'
import { TableBlock } from './table-block.tsx'

/**
 * The component for each element. Plain tags are styled by `prose.css`. Every heading is one level under its message,
 * because a model may start at any level; CSS keeps the look of the original level. Marks of lists and quotes are where their
 * text begins.
 */
export const markdownComponents: Partial<Components> = {
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  ul: ({ node: _, ...rest }) => <ul dir="auto" {...rest} />,
  ol: ({ node: _, ...rest }) => <ol dir="auto" {...rest} />,
  blockquote: ({ node: _, ...rest }) => <blockquote dir="auto" {...rest} />,
  table: Table,
  input: TaskMark,
  pre: FencedBlock,
  a: Anchor,
  img: Picture,
}

function Heading({ node, id, children }: ComponentProps<'h3'> & ExtraProps) {
  return (
    <h3 id={id} className={`heading-${node?.tagName.at(1)}`}>
      {children}
    </h3>
  )
}

function Anchor({ href, title, node, children }: ComponentProps<'a'> & ExtraProps) {
  return (
    <SafeLink href={href} title={title} text={textOf(node)}>
      {children}
    </SafeLink>
  )
}

/** The words of an element, with those of its pictures. */
function textOf(node: Nodes | undefined): string {
  if (node === undefined) return ''
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return ''
  const { alt } = node.properties
  return `${typeof alt === 'string' ? alt : ''}${node.children.map(textOf).join('')}`
}

function Picture({ src, alt }: ComponentProps<'img'> & ExtraProps) {
  if (src === INCOMPLETE_IMAGE_PLACEHOLDER) return null
  return <RemoteImage src={typeof src === 'string' ? src : undefined} alt={alt} />
}

function Table({ children }: ComponentProps<'table'> & ExtraProps) {
  return <TableBlock>{children}</TableBlock>
}

function TaskMark({ checked }: ComponentProps<'input'> & ExtraProps) {
  const { tool } = useMessages()
  const Icon = checked ? SquareCheck : Square
  const label = checked ? tool.todoStates.completed : tool.todoStates.pending
  return <Icon role="img" aria-hidden={false} aria-label={label} size={16} className="task-mark" />
}
