import type { Memory } from '@palimpsest/core/domain'
import { Button } from '@palimpsest/ui'
import { useRef, useState } from 'react'
import { LoadFailed } from '../agent/load-failed.tsx'
import { memoryWords as words } from '../words/en-memories.ts'
import { MemoryCard } from './memory-card.tsx'
import { MemoryForm } from './memory-form.tsx'
import { type MemoryActions, useMemories, useProposing } from './use-memories.ts'

/** What chats remember: proposals first, then all memories. */
export function MemorySection() {
  const { memories, error, retry, more, actions } = useMemories()
  const [adding, setAdding] = useState(false)
  const proposed = memories?.filter(({ state }) => state === 'proposed') ?? []
  const accepted = memories?.filter(({ state }) => state === 'accepted') ?? []
  return (
    <div className="space-y-8">
      <p className="text-muted">{words.lead}</p>
      <ProposeSwitch />
      {memories === null &&
        (error ? <LoadFailed error={error} onRetry={retry} /> : <p role="status">{words.loading}</p>)}
      {proposed.length > 0 && (
        <MemoryList
          title={words.proposals}
          hint={words.proposalsHint}
          memories={proposed}
          actions={actions}
        />
      )}
      {memories !== null && (
        <>
          <MemoryList
            title={words.memories}
            hint={accepted.length === 0 ? `${words.empty} ${words.emptyHint}` : ''}
            memories={accepted}
            actions={actions}
          />
          {adding ? (
            <MemoryForm memory={null} actions={actions} onClose={() => setAdding(false)} />
          ) : (
            <div className="flex flex-wrap gap-2">
              <Button onClick={() => setAdding(true)}>{words.add}</Button>
              {more !== null && <Button onClick={more}>{words.more}</Button>}
            </div>
          )}
        </>
      )}
    </div>
  )
}

function ProposeSwitch() {
  const { proposing, setProposing } = useProposing()
  return (
    <label className="flex items-start gap-3 coarse:min-h-11">
      <input
        type="checkbox"
        className="mt-1 size-4 shrink-0 accent-ink"
        checked={proposing ?? false}
        disabled={proposing === null}
        onChange={({ target }) => setProposing(target.checked)}
      />
      <span>
        <span className="block font-medium">{words.propose}</span>
        <span className="block text-sm text-muted">{words.proposeHint}</span>
      </span>
    </label>
  )
}

type MemoryListProps = { title: string; hint: string; memories: readonly Memory[]; actions: MemoryActions }

/** Memories under a heading, which takes the focus when the one that had it is gone. */
function MemoryList({ title, hint, memories, actions }: MemoryListProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-label={title} className="space-y-3">
      <header>
        <h3 ref={heading} tabIndex={-1} className="font-text text-lg outline-none">
          {title}
        </h3>
        {hint !== '' && <p className="text-sm text-muted">{hint}</p>}
      </header>
      {memories.map((memory) => (
        <MemoryCard
          key={memory.id}
          memory={memory}
          actions={actions}
          onGone={() => heading.current?.focus()}
        />
      ))}
    </section>
  )
}
