import {
  type ChatMessage,
  type ChatPart,
  isToolPart,
  type ModelInfo,
  modelCost,
} from '@palimpsest/core/domain'
import { memo, type ReactNode, useMemo } from 'react'
import { PlainText } from '../markdown/plain-text.tsx'
import { RenderGuard } from '../markdown/render-guard.tsx'
import { useMessages } from '../messages/messages-context.tsx'
import { findModel, modelLabel } from '../model/find-model.ts'
import { cx } from '../primitives/cx.ts'
import { useMediaQuery } from '../primitives/use-media-query.ts'
import type { ModelViews } from '../tool/model-view-note.tsx'
import { toolState } from '../tool/tool-part.ts'
import { CutNote, PromptLeftOutNote } from './cut-note.tsx'
import { type Block, groupParts } from './group-parts.ts'
import { LeftOutNote } from './left-out-note.tsx'
import type { MessageActions } from './message-actions.ts'
import { MessageBlock } from './message-block.tsx'
import { MessageDetails } from './message-details.tsx'
import { MessageNotice } from './message-notice.tsx'
import { blockText } from './message-text.ts'
import { COMPACT_TOOLBAR, MessageToolbar } from './message-toolbar.tsx'
import { noticeFor } from './notice.ts'
import { RegenerateButton } from './regenerate-button.tsx'

const NO_DURATIONS: Record<string, number> = {}

/** An older reply offers no action: continuing it would hide the messages after it. */
const NONE: MessageActions = {}

export type AssistantMessageProps = {
  message: ChatMessage
  /** True while it is being written. */
  streaming: boolean
  /** True for the newest message, whose actions stay visible. */
  last: boolean
  models: readonly ModelInfo[]
  actions: MessageActions
  /** More actions, such as branch from here. */
  extra?: ReactNode
  /** False where the model is named elsewhere. */
  signed?: boolean
}

/** A reply: its parts in order, how it ended, and its model. */
export const AssistantMessage = memo(function AssistantMessage(props: AssistantMessageProps) {
  const { message, streaming, models } = props
  const messages = useMessages()
  const blocks = useMemo(() => groupParts(message.parts), [message.parts])
  const label = modelLabel(models, message.metadata?.model) ?? messages.app.name
  const modelViews = useModelViews(props)
  const notice = streaming ? null : noticeFor(message)
  const left = message.metadata?.leftOut === true
  const { instructionsCut: cut = [], promptLeftOut } = message.metadata ?? {}
  const { onBringBack } = props.actions
  return (
    <article className={cx('group/message pt-0.5', left && 'left-out')}>
      <h2 className="sr-only">{messages.message.assistant(label)}</h2>
      <div className="space-y-1">
        {blocks.map((block, at) => (
          <RenderGuard
            key={block.index}
            resetKey={block}
            fallback={() => <PlainText text={blockText(block)} note={messages.markdown.notFormatted} />}
          >
            <MessageBlock
              block={block}
              growing={streaming && at === blocks.length - 1 && isGrowing(block)}
              live={streaming}
              durationsMs={message.metadata?.partDurationsMs ?? NO_DURATIONS}
              modelViews={modelViews}
            />
          </RenderGuard>
        ))}
        {streaming && !isWriting(blocks) && !message.parts.some(isOpen) && <Waiting />}
      </div>
      {notice && (
        <MessageNotice messageId={message.id} notice={notice} actions={props.last ? props.actions : NONE} />
      )}
      {cut.length > 0 && <CutNote paths={cut} />}
      {promptLeftOut && <PromptLeftOutNote leftOut={promptLeftOut} />}
      {left && <LeftOutNote onBringBack={onBringBack && (() => onBringBack(message.id))} />}
      {streaming ? <div className="h-control-small" /> : <ReplyFoot {...props} label={label} />}
    </article>
  )
})

/** What the model reads of its tool results, which can be changed once the reply is complete. */
function useModelViews({ message, streaming, actions }: AssistantMessageProps): ModelViews {
  const { id, metadata } = message
  const onUseFullResult = streaming ? undefined : actions.onUseFullResult
  const useFullResult = useMemo(
    () => onUseFullResult && ((toolCallId: string, whole: boolean) => onUseFullResult(id, toolCallId, whole)),
    [onUseFullResult, id],
  )
  return { ...metadata, onUseFullResult: useFullResult }
}

function ReplyFoot(props: AssistantMessageProps & { label: string }) {
  const { message, models, actions } = props
  const model = findModel(models, message.metadata?.model)
  const { onRegenerate } = actions
  return (
    <div className="-ml-icon flex">
      <MessageToolbar
        message={message}
        actions={actions}
        pinned={props.last}
        end={<Signature {...props} model={model} />}
      >
        {onRegenerate && (
          <RegenerateButton models={models} onRegenerate={(ref) => onRegenerate(message.id, ref)} />
        )}
        {props.extra}
      </MessageToolbar>
    </div>
  )
}

type SignatureProps = Pick<AssistantMessageProps, 'message' | 'signed'> & {
  label: string
  model: ModelInfo | undefined
}

/** The model, and time, tokens and cost on demand. */
function Signature({ message: { metadata }, label, model, signed = true }: SignatureProps) {
  const compact = useMediaQuery(COMPACT_TOOLBAR)
  const cost = metadata?.usage && model ? modelCost(metadata.usage, model.prices) : null
  const named = compact && signed
  return (
    <>
      {metadata && metadata.hiddenBy === undefined && (
        <MessageDetails metadata={metadata} modelLabel={label} costUsd={cost} named={named} />
      )}
      {signed && (!named || metadata?.hiddenBy !== undefined || !metadata) && (
        <span className="min-w-0 truncate pl-1.5 text-xs text-faint">{label}</span>
      )}
    </>
  )
}

/** A placeholder for the next part. */
function Waiting() {
  const { message } = useMessages()
  return (
    <p className="text-sm">
      <span className="shine">{message.thinking}</span>
    </p>
  )
}

/** Whether a call has not ended: its line says what it does, and nothing else comes before it ends. */
function isOpen(part: ChatPart): boolean {
  return isToolPart(part) && ['preparing', 'running', 'waiting'].includes(toolState(part, true))
}

function isGrowing(block: Block): boolean {
  if (block.kind !== 'text' && block.kind !== 'reasoning') return false
  return block.part.state !== 'done'
}

function isWriting(blocks: readonly Block[]): boolean {
  const last = blocks.at(-1)
  return last !== undefined && isGrowing(last)
}
