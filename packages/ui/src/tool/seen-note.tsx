import { Collapsible } from '@base-ui/react/collapsible'
import type { CondensedOutput } from '@palimpsest/core/domain'
import { ChevronRight } from 'lucide-react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { LongText } from './long-text.tsx'

/** How an output stands before the model, when it does not see the output itself. */
export type SeenAs = { condensed: CondensedOutput | null; pruned: boolean }

/** Says that the model sees something shorter than the output above; a condensed form opens. */
export function SeenNote({ condensed, pruned }: SeenAs) {
  const { tool } = useMessages()
  const format = useFormat()
  if (pruned) return <p className="text-xs text-muted">{tool.pruned}</p>
  if (condensed === null) return null
  const { text, model, beforeTokens, afterTokens } = condensed
  return (
    <Collapsible.Root>
      <Collapsible.Trigger className="group/seen flex min-h-7 items-center gap-1.5 rounded-md text-left text-xs text-muted transition hover:text-ink coarse:min-h-11">
        <ChevronRight aria-hidden size={13} className="transition group-data-panel-open/seen:rotate-90" />
        {tool.condensed(format.tokens(afterTokens), format.tokens(beforeTokens))}
      </Collapsible.Trigger>
      <Collapsible.Panel className="reveal">
        <LongText label={tool.condensedBy(model.modelId)} text={text} />
      </Collapsible.Panel>
    </Collapsible.Root>
  )
}
