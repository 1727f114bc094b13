import { type InspectedMessage, totalTokens } from '@palimpsest/core/domain'
import { useFormat } from '@palimpsest/ui'
import { inspectWords as words } from '../words/en-inspect.ts'
import { InspectedList } from './inspected-list.tsx'
import { useInspectedMessages, useInspectedSession } from './use-inspection.ts'

const KINDS = ['input', 'output', 'reasoning', 'cacheRead', 'cacheWrite'] as const

/** The counts of each reply, and those of the session. */
export function TokensView({ sessionId }: { sessionId: string }) {
  return (
    <InspectedList list={useInspectedMessages(sessionId)}>
      {(messages) => <TokenRows sessionId={sessionId} messages={messages} />}
    </InspectedList>
  )
}

type TokenRowsProps = { sessionId: string; messages: readonly InspectedMessage[] }

function TokenRows({ sessionId, messages }: TokenRowsProps) {
  const format = useFormat()
  const { data } = useInspectedSession(sessionId)
  const replies = messages.filter(({ usage }) => usage !== null)
  const heads = [words.reply, ...KINDS.map((kind) => words.counts[kind]), words.tokens, words.cost]
  const number = 'py-1 pl-4 text-right whitespace-nowrap tabular-nums'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: A region that scrolls has to be reached by keys.
    <section aria-label={words.views.tokens} tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-sm">
        <thead className="text-muted">
          <tr>
            {heads.map((head, index) => (
              <th
                key={head}
                scope="col"
                className={index === 0 ? 'py-1 text-left font-normal' : `${number} font-normal`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {replies.map(({ id, model, usage, costUsd, createdAt }) => (
            <tr key={id} className="border-line border-t">
              <th scope="row" className="py-1 text-left font-normal">
                {model?.modelId ?? words.unknown}{' '}
                <span className="text-muted">{format.moment(createdAt, Date.now())}</span>
              </th>
              {KINDS.map((kind) => (
                <td key={kind} className={number}>
                  {format.count(usage?.[kind] ?? 0)}
                </td>
              ))}
              <td className={number}>{format.count(usage === null ? 0 : totalTokens(usage))}</td>
              <td className={number}>{costUsd === null ? words.unknown : format.cost(costUsd)}</td>
            </tr>
          ))}
        </tbody>
        {data && (
          <tfoot>
            <tr className="border-line border-t font-medium">
              <th scope="row" className="py-1 text-left font-medium">
                {words.total}
              </th>
              {[
                data.usage.promptTokens,
                data.usage.completionTokens,
                data.usage.reasoningTokens,
                data.usage.cacheRead,
                data.usage.cacheWrite,
                data.usage.totalTokens,
              ].map((count, index) => (
                <td key={heads[index + 1]} className={number}>
                  {format.count(count)}
                </td>
              ))}
              <td className={number}>
                {data.usage.costUsd === null ? words.unknown : format.cost(data.usage.costUsd)}
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}
