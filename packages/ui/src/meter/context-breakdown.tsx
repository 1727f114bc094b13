import type { ContextWindow, SessionUsage, WindowContent } from '@palimpsest/core/domain'
import type { ReactNode } from 'react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { type ContentRow, contentRows } from './content-rows.ts'
import { type MeterLevel, meterState } from './meter-state.ts'
import { TokenTable } from './token-table.tsx'

export type ContextMeterProps = {
  contextWindow: ContextWindow
  /** What the session has used, and what that cost where it is known. */
  usage: SessionUsage
  /** Tokens by kind of content, once they are known. */
  content?: WindowContent | null
  /** True while a reply is running: the window grows before its content is counted again. */
  writing?: boolean
  /** Called when the breakdown opens and closes. */
  onOpenChange?: (open: boolean) => void
  /** Actions under the breakdown; `close` closes it. */
  actions?: (close: () => void) => ReactNode
}

const FILL: Record<MeterLevel, string> = {
  unknown: 'bg-ghost',
  calm: 'bg-muted',
  high: 'bg-caution',
  full: 'bg-danger',
}

export type ContextBreakdownProps = Pick<
  ContextMeterProps,
  'contextWindow' | 'usage' | 'content' | 'writing'
> & {
  children?: ReactNode
}

/** Used, reserve and limit of the window, tokens by kind of content, then tokens and cost of the session. */
export function ContextBreakdown(props: ContextBreakdownProps) {
  const { contextWindow, usage, content, writing = false, children } = props
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
    <div className="space-y-3 text-sm">
      <section>
        <h2 className="pb-2 text-base font-medium">{meter.heading}</h2>
        {limit !== null && <Bar contextWindow={contextWindow} />}
        <dl className="mt-2">
          <Row term={meter.used}>{`${estimated ? '≈ ' : ''}${format.count(used)}`}</Row>
          {reserve !== null && <Row term={meter.reserve}>{format.count(reserve)}</Row>}
          {usable !== null && <Row term={history.contextActions.compactsAt}>{format.count(usable)}</Row>}
          {usable !== null && <Row term={meter.free}>{format.count(Math.max(0, usable - used))}</Row>}
          <Row term={meter.limit}>{limit === null ? meter.unknown : format.count(limit)}</Row>
        </dl>
        {estimated && <p className="mt-1.5 text-xs text-faint">{meter.estimated}</p>}
        {content && <ContentTable rows={contentRows(content, used, writing)} />}
      </section>
      <section className="border-line border-t pt-3">
        <h2 className="pb-1 text-base font-medium">{meter.session}</h2>
        <TokenTable counts={counts} total={usage.totalTokens} />
        <dl className="mt-2 border-line border-t pt-1.5">
          <Row term={meter.cost}>{usage.costUsd === null ? meter.unknown : format.cost(usage.costUsd)}</Row>
          <Row term={meter.cacheShare}>{format.percent(cacheShare(usage))}</Row>
        </dl>
      </section>
      {children}
    </div>
  )
}

function Bar({ contextWindow: window }: Pick<ContextMeterProps, 'contextWindow'>) {
  const { share, level } = meterState(window)
  const reserve = window.limit && window.usable !== null ? 1 - window.usable / window.limit : 0
  return (
    <div aria-hidden className="relative h-1.5 overflow-hidden rounded-full bg-wash-strong">
      <div className="absolute inset-y-0 right-0 bg-line-strong" style={{ width: `${reserve * 100}%` }} />
      <div
        className={cx('absolute inset-y-0 left-0 rounded-full', FILL[level])}
        style={{ width: `${(share ?? 0) * 100}%` }}
      />
    </div>
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
