import { Collapsible } from '@base-ui/react/collapsible'
import type { CondensedOutput, MessageMetadata } from '@palimpsest/core/domain'
import { ChevronRight } from 'lucide-react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { LongText } from './long-text.tsx'

/** What the model reads of a tool result, where that is not, or need not be, the stored result. */
export type ModelView = {
  condensed: CondensedOutput | null
  pruned: boolean
  /** Sets whether the model reads the full result or the condensed one; absent where that is not offered. */
  onUseFullResult?: ((whole: boolean) => void) | undefined
}

/** A note under a result that was dropped or condensed; it opens to the condensed result. */
export function ModelViewNote({ condensed, pruned, onUseFullResult }: ModelView) {
  const { tool } = useMessages()
  const format = useFormat()
  if (pruned) return <p className="text-xs text-muted">{tool.pruned}</p>
  if (condensed === null) return null
  const { text, model, beforeTokens, afterTokens, unused = false } = condensed
  const words = unused ? tool.uncondensed : tool.condensed
  return (
    <Collapsible.Root>
      <div className="flex flex-wrap items-center gap-x-2">
        <Collapsible.Trigger className="group/seen flex min-h-7 items-center gap-1.5 rounded-md text-left text-xs text-muted transition hover:text-ink coarse:min-h-11">
          <ChevronRight aria-hidden size={13} className="transition group-data-panel-open/seen:rotate-90" />
          {words(format.tokens(afterTokens), format.tokens(beforeTokens))}
        </Collapsible.Trigger>
        {onUseFullResult && (
          <Button small variant="quiet" onClick={() => onUseFullResult(!unused)}>
            {unused ? tool.useCondensed : tool.useWhole}
          </Button>
        )}
      </div>
      <Collapsible.Panel className="reveal">
        <LongText label={tool.condensedBy(model.modelId)} text={text} />
      </Collapsible.Panel>
    </Collapsible.Root>
  )
}

/** What the model reads of the tool results of a reply. */
export type ModelViews = Pick<MessageMetadata, 'condensed' | 'prunedParts'> & {
  onUseFullResult?: ((toolCallId: string, whole: boolean) => void) | undefined
}

export function modelViewOf(
  { condensed, prunedParts, onUseFullResult }: ModelViews,
  toolCallId: string,
  index: number,
): ModelView {
  const form = condensed !== undefined && Object.hasOwn(condensed, toolCallId) ? condensed[toolCallId] : null
  return {
    condensed: form ?? null,
    pruned: prunedParts?.includes(index) === true,
    onUseFullResult: onUseFullResult && ((whole) => onUseFullResult(toolCallId, whole)),
  }
}
