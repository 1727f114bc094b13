import { useFormat, useMessages } from '../messages/messages-context.tsx'
import type { ContentRow } from './content-rows.ts'

/** What the window is made of, by kind. */
export function ContentTable({ rows }: { rows: readonly ContentRow[] }) {
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
