import { memo } from 'react'
import { FileParts } from '../files/file-parts.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { useMessages } from '../messages/messages-context.tsx'
import type { ModelViews } from '../tool/model-view-note.tsx'
import { todoItems } from '../tool/todo-items.ts'
import { TodoList } from '../tool/todo-list.tsx'
import { ToolCall } from '../tool/tool-call.tsx'
import { ToolGroup } from '../tool/tool-group.tsx'
import type { Block } from './group-parts.ts'
import { Reasoning } from './reasoning.tsx'
import { sameBlock } from './same-block.ts'
import { SourceParts } from './source-parts.tsx'
import { UnreadablePart } from './unreadable-part.tsx'
import { UserWords } from './user-words.tsx'

export type MessageBlockProps = {
  block: Block
  /** True for the block that is being written. */
  growing: boolean
  /** True while the message is being written. */
  live: boolean
  /** Milliseconds by part index; keep its identity. */
  durationsMs: Record<string, number>
  /** What the model reads of tool results. Keep the identity of its fields. */
  modelViews: ModelViews
}

/** Draws one block of a message, again only when what it shows has changed. */
export const MessageBlock = memo(function MessageBlock(props: MessageBlockProps) {
  const { block, growing, live, durationsMs, modelViews } = props
  switch (block.kind) {
    case 'text':
      return (
        <div className="py-2">
          <Markdown text={block.part.text} streaming={growing} />
        </div>
      )
    case 'reasoning':
      return <Reasoning text={block.part.text} streaming={growing} durationMs={durationsMs[block.index]} />
    case 'tools':
      return <ToolGroup calls={block.calls} live={live} durationsMs={durationsMs} modelViews={modelViews} />
    case 'todo':
      return <TodoBlock call={block.call} live={live} />
    case 'files':
      return <FileParts parts={block.parts} />
    case 'sources':
      return <SourceParts parts={block.parts} />
    case 'steering':
      return <SteeringWords part={block.part} />
    case 'summarised':
      return <ProviderSummary summary={block.summary} />
    case 'unreadable':
      return <UnreadablePart data={block.data} />
  }
}, sameProps)

/** What a person said into a reply that was being written. */
function SteeringWords({ part }: { part: Extract<Block, { kind: 'steering' }>['part'] }) {
  const { message } = useMessages()
  return (
    <div className="flex flex-col items-end gap-1 py-4">
      <h3 className="sr-only">{message.you}</h3>
      <UserWords parts={part.parts} />
    </div>
  )
}

function TodoBlock({ call, live }: { call: Extract<Block, { kind: 'todo' }>['call']; live: boolean }) {
  const { tool } = useMessages()
  const items = todoItems(call.part)
  if (!items || items.length === 0 || call.part.state === 'output-error') {
    return <ToolCall part={{ ...call.part, title: tool.todo }} live={live} />
  }
  return <TodoList items={items} />
}

function sameProps(a: MessageBlockProps, b: MessageBlockProps): boolean {
  return (
    a.growing === b.growing &&
    a.live === b.live &&
    a.durationsMs === b.durationsMs &&
    a.modelViews.condensed === b.modelViews.condensed &&
    a.modelViews.prunedParts === b.modelViews.prunedParts &&
    a.modelViews.onUseFullResult === b.modelViews.onUseFullResult &&
    sameBlock(a.block, b.block)
  )
}

/** One line where a provider summarised the conversation by itself; opens to the summary, unless it is encrypted. */
function ProviderSummary({ summary }: { summary: string }) {
  const { message } = useMessages()
  if (summary === '') return <p className="py-1 text-muted text-sm">{message.providerSummary}</p>
  return (
    <details className="py-1 text-muted text-sm">
      <summary className="cursor-pointer">{message.providerSummary}</summary>
      <p className="whitespace-pre-wrap py-1 pl-4">{summary}</p>
    </details>
  )
}
