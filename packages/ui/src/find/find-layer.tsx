import type { MessageLayer } from '@palimpsest/core/domain'
import { useMessages } from '../messages/messages-context.tsx'

/** A badge for a match that is not in the visible text: hidden, or replaced by a summary. */
export function FindLayer({ layer }: { layer: MessageLayer }) {
  const { layers } = useMessages().find
  if (layer === 'visible') return null
  return (
    <span className="shrink-0 rounded-full bg-rubric-wash px-2 py-0.5 font-medium text-rubric text-xs">
      {layers[layer]}
    </span>
  )
}
