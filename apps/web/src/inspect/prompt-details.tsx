import { visibleText, visibleWords } from '@palimpsest/ui'
import { useState } from 'react'
import { LoadFailed } from '../agent/load-failed.tsx'
import { inspectWords as words } from '../words/en-inspect.ts'
import { useInspectedPrompt } from './use-inspection.ts'

export type PromptDetailsProps = { sessionId: string; messageId: string; digest: string }

/** The exact system prompt of a reply with its digest, and the tools that it lists; read once they are opened. */
export function PromptDetails({ sessionId, messageId, digest }: PromptDetailsProps) {
  const [wanted, setWanted] = useState(false)
  const { data, error, refetch } = useInspectedPrompt(sessionId, messageId, wanted)
  const waiting = error ? (
    <LoadFailed error={error} onRetry={() => void refetch()} />
  ) : (
    <p role="status">{words.loading}</p>
  )
  return (
    <div className="pt-2 text-sm">
      <details onToggle={() => setWanted(true)}>
        <summary className="cursor-pointer py-1 coarse:py-3 text-muted">{words.prompt}</summary>
        <p className="font-code text-xs text-muted wrap-anywhere">{words.digest(digest)}</p>
        {data === undefined ? waiting : <Plain text={data.prompt.body} label={words.prompt} />}
      </details>
      <details onToggle={() => setWanted(true)}>
        <summary className="cursor-pointer py-1 coarse:py-3 text-muted">{words.tools}</summary>
        {data === undefined ? waiting : <Tools items={data.tools.items} />}
      </details>
    </div>
  )
}

function Tools({ items }: { items: readonly { id: string; description: string }[] }) {
  if (items.length === 0) return <p>{words.noTools}</p>
  return (
    <dl className="mt-1 space-y-1.5">
      {items.map(({ id, description }) => (
        <div key={`${id} ${description}`}>
          <dt className="font-code wrap-anywhere">{visibleText(id)}</dt>
          <dd dir="auto" className="text-muted wrap-anywhere">
            {visibleWords(description)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A text as it is stored, in a region that scrolls. */
export function Plain({ text, label }: { text: string; label: string }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: A region that scrolls has to be reached by keys.
      tabIndex={0}
      className="mt-1 max-h-96 overflow-auto rounded-md bg-wash px-3 py-2"
    >
      <pre className="font-code text-xs whitespace-pre-wrap wrap-anywhere">{visibleWords(text)}</pre>
    </section>
  )
}
