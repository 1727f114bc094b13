import { Button } from '@palimpsest/ui'
import { useState } from 'react'
import { sourceWords as words } from '../words/en-sources.ts'

export type ConsentCardProps = {
  item: { path: string; content: string; allowed: boolean }
  onAllow: () => void
  onWithdraw: () => void
}

/** What a repository brings, to be read and then allowed; one that is allowed can be withdrawn. */
export function ConsentCard({ item, onAllow, onWithdraw }: ConsentCardProps) {
  const { path, content, allowed } = item
  const [open, setOpen] = useState(false)
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap gap-2">
        <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
          {words.read(path)}
        </Button>
        {allowed && (
          <Button small aria-label={words.withdrawOf(path)} onClick={onWithdraw}>
            {words.withdraw}
          </Button>
        )}
      </div>
      {open && (
        <>
          <section
            aria-label={path}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
            tabIndex={0}
            className="max-h-80 overflow-auto rounded-md bg-wash p-3"
          >
            <pre className="whitespace-pre-wrap wrap-anywhere font-code text-xs">{content}</pre>
          </section>
          {!allowed && (
            <Button small aria-label={words.allowOf(path)} onClick={onAllow}>
              {words.allow}
            </Button>
          )}
        </>
      )}
    </div>
  )
}
