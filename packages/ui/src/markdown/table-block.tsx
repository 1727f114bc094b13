import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { useOverflow } from './use-overflow.ts'
import { WideTools } from './wide-tools.tsx'

/** A table that scrolls by itself; one that is cut fades at its edge and can be wrapped or expanded. */
export function TableBlock({ children }: { children: ReactNode }) {
  const { markdown } = useMessages()
  const scroller = useRef<HTMLElement>(null)
  const cut = useOverflow(scroller)
  const [wrapped, setWrapped] = useState(false)
  const [heads, setHeads] = useState<string | null>(null)
  const name = heads === null ? markdown.table : markdown.tableOf(heads)
  // A head that streams grows with each render.
  useEffect(() => setHeads(headsOf(scroller.current)))
  return (
    <div className="table-block">
      <div className="wide">
        <section
          ref={scroller}
          aria-label={name}
          className={cx('table-scroll', wrapped && 'wrapped')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
          tabIndex={0}
        >
          <table>{children}</table>
        </section>
      </div>
      {(cut || wrapped) && (
        <div className="table-tools">
          <WideTools wrapped={wrapped} onWrap={setWrapped} title={name}>
            <table>{children}</table>
          </WideTools>
        </div>
      )}
    </div>
  )
}

/** Characters of its head that name a table. */
const NAME_CHARACTERS = 60

/** The words of a table's head; null where it has none. */
function headsOf(table: Element | null): string | null {
  const cells = [...(table?.querySelectorAll('th') ?? [])]
  const words = cells.map(({ textContent }) => textContent.trim()).filter((text) => text !== '')
  const name = words.join(', ')
  if (name === '') return null
  return name.length > NAME_CHARACTERS ? `${name.slice(0, NAME_CHARACTERS).trimEnd()}…` : name
}
