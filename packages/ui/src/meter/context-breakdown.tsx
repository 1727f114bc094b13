import type { ContextWindow, HeavyMessage, SessionUsage, WindowContent } from '@palimpsest/core/domain'
import type { ReactNode } from 'react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { ContentBar } from './content-bar.tsx'
import { type ContentRow, contentRows } from './content-rows.ts'
import { HeaviestList } from './heaviest-list.tsx'
import { meterState, withKnownLimit } from './meter-state.ts'
import { TokenTable } from './token-table.tsx'
import { windowSentence } from './window-sentence.ts'

export type ContextMeterProps = {
  contextWindow: ContextWindow
  /** What the session has used, and what that cost where it is known. */
  usage: SessionUsage
  /** Tokens by kind of content, once they are known. */
  content?: WindowContent | null
  /** True while a reply is running: the window grows before its content is counted again. */
  writing?: boolean
  /** The messages that take the most of it, the heaviest first, once they are known. */
  heaviest?: readonly HeavyMessage[] | null
  /** Leaves one of them out of what the model sees. */
  onLeaveOut?: (messageId: string) => void
  /** True where something else opens the breakdown. */
  open?: boolean
  /** Called when the breakdown opens and closes. */
  onOpenChange?: (open: boolean) => void
  /** Actions under the breakdown; `close` closes it. */
  actions?: (close: () => void) => ReactNode
}

export type ContextBreakdownProps = Pick<
  ContextMeterProps,
  'contextWindow' | 'usage' | 'content' | 'writing' | 'heaviest' | 'onLeaveOut'
> & {
  children?: ReactNode
}

/**
 * The window as a bar by kind of content, what takes the most of it in a sentence, and its heaviest messages; below and
 * folded, every number of the window and of the session.
 */
export function ContextBreakdown(props: ContextBreakdownProps) {
  const { content, writing = false, heaviest, onLeaveOut, children } = props
  const contextWindow = withKnownLimit(props.contextWindow)
  const { meter } = useMessages()
  const format = useFormat()
  const { used, limit, estimated } = contextWindow
  const { share } = meterState(contextWindow)
  const rows = content ? contentRows(content, used, writing) : []
  const sentence = content && heaviest ? windowSentence({ used, content, heaviest }, meter, format) : null
  return (
    <div className="space-y-3 text-sm">
      <section>
        <div className="flex items-baseline justify-between gap-3 pb-2">
          <h2 className="text-base font-medium">{meter.heading}</h2>
          <p className="text-xs text-muted tabular-nums">
            {limit === null || share === null
              ? meter.textUnknown(format.tokens(used))
              : meter.share(format.percent(share), format.tokens(limit))}
          </p>
        </div>
        <ContentBar rows={rows} window={contextWindow} />
        {sentence !== null && <p className="pt-2 text-base">{sentence}</p>}
        {estimated && <p className="mt-1.5 text-xs text-faint">{meter.estimated}</p>}
      </section>
      {heaviest && heaviest.length > 0 && onLeaveOut && (
        <HeaviestList heaviest={heaviest} onLeaveOut={onLeaveOut} />
      )}
      {children}
      <Numbers {...props} contextWindow={contextWindow} rows={rows} />
    </div>
  )
}

/** Every number, folded until they are asked for. */
function Numbers({ contextWindow, usage, rows }: ContextBreakdownProps & { rows: readonly ContentRow[] }) {
  const messages = useMessages()
  const format = useFormat()
  const { meter, history } = messages
  const { used, limit, usable, estimated } = contextWindow
  const reserve = limit === null || usable === null ? null : limit - usable
  const counts = {
    input: usage.promptTokens,
    output: usage.completionTokens,
    reasoning: usage.reasoningTokens,
    cacheRead: usage.cacheRead,
    cacheWrite: usage.cacheWrite,
  }
  return (
    <details className="border-line border-t pt-2">
      <summary className="-mx-2 rounded-md px-2 py-1 text-muted transition hover:bg-wash hover:text-ink coarse:py-3">
        {meter.numbers}
      </summary>
      <dl className="mt-1">
        <Row term={meter.used}>{`${estimated ? '≈ ' : ''}${format.count(used)}`}</Row>
        {reserve !== null && <Row term={meter.reserve}>{format.count(reserve)}</Row>}
        {usable !== null && <Row term={history.contextActions.compactsAt}>{format.count(usable)}</Row>}
        {usable !== null && <Row term={meter.free}>{format.count(Math.max(0, usable - used))}</Row>}
        <Row term={meter.limit}>{limit === null ? meter.unknown : format.count(limit)}</Row>
      </dl>
      {rows.length > 0 && <ContentTable rows={rows} />}
      <h3 className="mt-3 border-line border-t pt-3 pb-1 text-base font-medium">{meter.session}</h3>
      <TokenTable counts={counts} total={usage.totalTokens} />
      <dl className="mt-2 border-line border-t pt-1.5">
        <Row term={meter.cost}>{usage.costUsd === null ? meter.unknown : format.cost(usage.costUsd)}</Row>
        <Row term={meter.cacheShare}>{format.percent(cacheShare(usage))}</Row>
      </dl>
    </details>
  )
}

function Row({ term, children }: { term: string; children: string }) {
  return (
    <div className="flex justify-between gap-4 py-0.5">
      <dt className="text-muted">{term}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  )
}

/** Share of everything read by the model that came from a cache. */
function cacheShare({ promptTokens, cacheRead, cacheWrite }: ContextMeterProps['usage']): number {
  const read = promptTokens + cacheRead + cacheWrite
  return read === 0 ? 0 : cacheRead / read
}

/** Tokens of the window by kind of content. */
function ContentTable({ rows }: { rows: readonly ContentRow[] }) {
  const { meter } = useMessages()
  const format = useFormat()
  return (
    <table className="mt-2 w-full border-line border-t text-sm">
      <caption className="pt-2 pb-1 text-left text-xs font-medium text-faint">{meter.content}</caption>
      <tbody>
        {rows.map(({ kind, tokens }) => (
          <tr key={kind}>
            <th scope="row" className="py-0.5 text-left font-normal text-muted">
              {meter.kinds[kind]}
            </th>
            <td className="text-right tabular-nums">{`≈ ${format.count(tokens)}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
