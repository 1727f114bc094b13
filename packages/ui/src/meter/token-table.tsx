import type { TokenCounts } from '@palimpsest/core/domain'
import { useFormat, useMessages } from '../messages/messages-context.tsx'

const KINDS = ['input', 'output', 'reasoning', 'cacheRead', 'cacheWrite'] as const

/** The five counts and their sum. */
export function TokenTable({ counts, total }: { counts: TokenCounts; total: number }) {
  const { tokens } = useMessages()
  const format = useFormat()
  return (
    <table className="w-full text-sm">
      <caption className="pb-1 text-left text-xs font-medium text-faint">{tokens.heading}</caption>
      <tbody>
        {KINDS.map((kind) => (
          <tr key={kind}>
            <th scope="row" className="py-0.5 text-left font-normal text-muted">
              {tokens[kind]}
            </th>
            <td className="text-right tabular-nums">{format.count(counts[kind])}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-line border-t">
          <th scope="row" className="pt-1 text-left font-medium">
            {tokens.total}
          </th>
          <td className="pt-1 text-right font-medium tabular-nums">{format.count(total)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
