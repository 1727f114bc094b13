import type { MessageMetadata } from '@palimpsest/core/domain'
import { totalTokens } from '@palimpsest/core/domain'
import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { TokenTable } from '../meter/token-table.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { Popover } from '../popups/popover.tsx'
import { Button } from '../primitives/button.tsx'

export type MessageDetailsProps = {
  metadata: MessageMetadata
  modelLabel: string
  /** US dollars; null when the model's prices are unknown. */
  costUsd: number | null
  /** The model's name is the button, where there is no space for another. */
  named?: boolean
}

/** Model, time, tokens and cost of a reply, on demand. */
export function MessageDetails({ metadata, modelLabel, costUsd, named = false }: MessageDetailsProps) {
  const messages = useMessages()
  const format = useFormat()
  const { details } = messages
  const { usage, durationMs, finishReason, model, createdAt } = metadata
  return (
    <Popover
      label={messages.message.details}
      side="bottom"
      className="w-72 p-4"
      trigger={
        named ? (
          <Button
            small
            variant="quiet"
            aria-label={messages.message.detailsOf(modelLabel)}
            className="min-w-0 shrink font-normal"
          >
            <span className="truncate text-xs">{modelLabel}</span>
          </Button>
        ) : (
          <IconButton small label={messages.message.details}>
            <Info aria-hidden size={15} />
          </IconButton>
        )
      }
    >
      <dl className="space-y-1 text-sm">
        <Row term={details.model}>{modelLabel}</Row>
        {model?.variant && <Row term={details.variant}>{model.variant}</Row>}
        <Row term={details.sent}>{format.dateTime(createdAt)}</Row>
        {durationMs !== undefined && <Row term={details.time}>{format.duration(durationMs)}</Row>}
        {finishReason && <Row term={details.finish}>{messages.finish[finishReason]}</Row>}
        {costUsd !== null && <Row term={details.cost}>{format.cost(costUsd)}</Row>}
      </dl>
      {usage && (
        <div className="mt-3 border-line border-t pt-3">
          <TokenTable counts={usage} total={totalTokens(usage)} />
          {usage.unknown && <p className="mt-2 text-xs text-faint">{details.unknownPart}</p>}
        </div>
      )}
    </Popover>
  )
}

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{term}</dt>
      <dd className="min-w-0 text-right tabular-nums wrap-anywhere">{children}</dd>
    </div>
  )
}
