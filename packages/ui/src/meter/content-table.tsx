import { CONTENT_KINDS, type WindowContent } from '@palimpsest/core/domain'
import { useFormat, useMessages } from '../messages/messages-context.tsx'

/** What the window is made of, by kind; kinds that it has nothing of are left out. */
export function ContentTable({ content }: { content: WindowContent }) {
  const { meter } = useMessages()
  const format = useFormat()
  return (
    <table className="mt-2 w-full border-line border-t text-sm">
      <caption className="pt-2 pb-1 text-left text-xs font-medium text-faint">{meter.content}</caption>
      <tbody>
        {CONTENT_KINDS.filter((kind) => content[kind] > 0).map((kind) => (
          <tr key={kind}>
            <th scope="row" className="py-0.5 text-left font-normal text-muted">
              {meter.kinds[kind]}
            </th>
            <td className="text-right tabular-nums">{`≈ ${format.count(content[kind])}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
