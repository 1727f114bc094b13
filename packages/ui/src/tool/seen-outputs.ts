import type { MessageMetadata } from '@palimpsest/core/domain'
import type { SeenAs } from './seen-note.tsx'

/** What the model reads of the tool results of a reply. */
export type SeenOutputs = Pick<MessageMetadata, 'condensed' | 'prunedParts'> & {
  onSeeWhole?: ((toolCallId: string, whole: boolean) => void) | undefined
}

export function seenAs(
  { condensed, prunedParts, onSeeWhole }: SeenOutputs,
  toolCallId: string,
  index: number,
): SeenAs {
  const form = condensed !== undefined && Object.hasOwn(condensed, toolCallId) ? condensed[toolCallId] : null
  return {
    condensed: form ?? null,
    pruned: prunedParts?.includes(index) === true,
    onSeeWhole: onSeeWhole && ((whole) => onSeeWhole(toolCallId, whole)),
  }
}
