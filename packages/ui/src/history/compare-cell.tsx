import { type ModelInfo, totalTokens } from '@palimpsest/core/domain'
import { lazyModule } from '../lazy/lazy-module.ts'
import { useLazy } from '../lazy/use-lazy.ts'
import { AssistantMessage } from '../message/assistant-message.tsx'
import type { MessageActions } from '../message/message-actions.ts'
import { messageText } from '../message/message-text.ts'
import { UserMessage } from '../message/user-message.tsx'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { modelLabel } from '../model/find-model.ts'
import { Button } from '../primitives/button.tsx'
import { cx } from '../primitives/cx.ts'
import { Spinner } from '../primitives/spinner.tsx'
import { ThreadTail } from '../thread/thread-tail.tsx'
import type { CompareSide, CompareTurn } from './compare-side.ts'
import type { ReplyDiffProps } from './reply-diff.tsx'
import { StaysInView } from './stays-in-view.tsx'

export type CompareCellProps = {
  turn: CompareTurn | null
  /** The same turn on the other side, to mark what differs. */
  other?: CompareTurn | null
  side: CompareSide
  models: readonly ModelInfo[]
  actions: MessageActions
  /** True where the words that only one side has are marked. */
  differences?: boolean
  /** Shows or hides the differences; absent where there is nothing to compare. */
  onDifferences?: (() => void) | undefined
  /** True for the newest turn of the side: what it came to can still be helped. */
  newest?: boolean
  className?: string
}

/** One side of a turn, with its model and tokens; what differs from the other side is highlighted. */
export function CompareCell(props: CompareCellProps) {
  const { turn, other, side, models, actions, newest = false, differences = false, className } = props
  const { compare } = useMessages().history
  if (turn === null) {
    return (
      <div className={className}>
        <StaysInView className="py-8 text-center text-sm text-faint">{compare.nothing}</StaysInView>
      </div>
    )
  }
  const messages = turn.prompt === null ? turn.replies : [turn.prompt, ...turn.replies]
  const last = newest ? messages.at(-1) : undefined
  return (
    <div className={cx('prose-small min-w-0', className)}>
      <StaysInView className="pb-4">
        {messages.map((message) =>
          differences && message.role === 'assistant' ? null : message.role === 'user' ? (
            <UserMessage key={message.id} message={message} actions={actions} />
          ) : (
            <AssistantMessage
              key={message.id}
              message={message}
              streaming={message.id === side.streamingId}
              last={message.id === last?.id}
              models={models}
              actions={actions}
              signed={other === undefined}
            />
          ),
        )}
        {differences && other && <Differences own={replyText(turn)} other={replyText(other)} />}
        {last && side.unsent !== true && (
          <ThreadTail message={last} status={side.status} streamingId={side.streamingId} actions={actions} />
        )}
        {turn.replies.length > 0 && other !== undefined && (
          <Facts
            turn={turn}
            other={other}
            models={models}
            differences={differences}
            onDifferences={props.onDifferences}
          />
        )}
      </StaysInView>
    </div>
  )
}

function Facts({
  turn,
  other,
  models,
  differences,
  onDifferences,
}: Pick<CompareCellProps, 'models' | 'differences' | 'onDifferences'> & {
  turn: CompareTurn
  other: CompareTurn | null
}) {
  const { compare } = useMessages().history
  const format = useFormat()
  const [model, otherModel] = [modelOf(turn, models), other && modelOf(other, models)]
  const [tokens, otherTokens] = [tokensOf(turn), other && tokensOf(other)]
  const answered = other !== null && other.replies.length > 0
  const differs = (differing: boolean) => cx(answered && differing && 'font-medium text-ink')
  return (
    <div className="flex flex-wrap items-center gap-x-1.5 text-xs text-muted tabular-nums">
      {model && (
        <>
          <span className={differs(model !== otherModel)}>{model}</span>
          <span aria-hidden>·</span>
        </>
      )}
      <span className={differs(tokens !== otherTokens)}>{compare.tokens(format.count(tokens))}</span>
      {other !== null && sameText(turn, other) && (
        <>
          <span aria-hidden>·</span>
          {compare.same}
        </>
      )}
      {onDifferences && (
        <Button small variant="quiet" aria-pressed={differences} onClick={onDifferences}>
          {differences ? compare.hideDifferences : compare.showDifferences}
        </Button>
      )}
    </div>
  )
}

function modelOf({ replies }: CompareTurn, models: readonly ModelInfo[]): string | undefined {
  return modelLabel(models, replies.at(-1)?.metadata?.model)
}

function tokensOf({ replies }: CompareTurn): number {
  return replies.reduce((sum, { metadata }) => sum + (metadata?.usage ? totalTokens(metadata.usage) : 0), 0)
}

function sameText(a: CompareTurn, b: CompareTurn): boolean {
  return replyText(a) !== '' && replyText(a) === replyText(b)
}

/** The words of all replies of a turn. */
export function replyText({ replies }: CompareTurn): string {
  return replies.map(messageText).join('\n\n').trim()
}

/** The comparison of words loads when it is asked for. */
const replyDiff = lazyModule(() => import('./reply-diff.tsx'))

function Differences(props: ReplyDiffProps) {
  const module = useLazy(replyDiff)
  return module ? <module.ReplyDiff {...props} /> : <Spinner />
}
