import type { Memory } from '@palimpsest/core/domain'
import { Button, ConfirmDialog, isPlainClick, useFormat, visibleWords } from '@palimpsest/ui'
import { useState } from 'react'
import { useApp } from '../stores/app-context.tsx'
import { memoryWords as words } from '../words/en-memories.ts'
import { MemoryForm, toDraft } from './memory-form.tsx'
import type { MemoryActions } from './use-memories.ts'

export type MemoryCardProps = {
  memory: Memory
  actions: MemoryActions
  /** Called once it is gone from its list. */
  onGone: () => void
}

/** A memory, whole: what it says, where it holds and where it comes from, and what can be done with it. */
export function MemoryCard({ memory, actions, onGone }: MemoryCardProps) {
  const { toasts, router } = useApp()
  const format = useFormat()
  const [editing, setEditing] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const { id, workspaceRoot, description, type, body, state, origin, updatedAt } = memory
  const name = visibleWords(memory.name)
  const facts = [
    workspaceRoot === null ? words.scopes.user : words.inProject(workspaceRoot),
    type,
    format.dateTime(updatedAt),
  ]

  async function finish(work: Promise<void>, message: string) {
    if (!(await toasts.guard(work))) return
    toasts.add({ tone: 'info', message })
    onGone()
  }

  if (editing) return <MemoryForm memory={memory} actions={actions} onClose={() => setEditing(false)} />
  return (
    <article aria-label={name} className="space-y-2 rounded-lg border border-line px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 grow basis-60">
          <h4 className="font-medium wrap-anywhere" dir="auto">
            {name}
          </h4>
          <p className="wrap-anywhere" dir="auto">
            {visibleWords(description)}
          </p>
        </div>
        <div className="flex flex-wrap gap-1.5">
          {state === 'proposed' && (
            <Button
              small
              variant="primary"
              aria-label={words.acceptOf(name)}
              onClick={() => void finish(actions.write(toDraft(memory)), words.accepted(name))}
            >
              {words.accept}
            </Button>
          )}
          <Button small aria-label={words.editOf(name)} onClick={() => setEditing(true)}>
            {words.edit}
          </Button>
          <Button small aria-label={words.deleteOf(name)} onClick={() => setDeleting(true)}>
            {words.delete}
          </Button>
        </div>
      </div>
      <p
        dir="auto"
        className="max-h-60 overflow-y-auto rounded-md bg-inset px-3 py-2 text-sm whitespace-pre-wrap wrap-anywhere"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
        tabIndex={0}
      >
        {visibleWords(body)}
      </p>
      <p className="text-sm text-muted wrap-anywhere">
        {facts.join(' · ')}
        {origin !== null && (
          <>
            {' · '}
            <a
              className="underline"
              href={`/s/${origin.sessionId}#${origin.messageId}`}
              onClick={(event) => {
                if (!isPlainClick(event)) return
                event.preventDefault()
                router.push({ sessionId: origin.sessionId, anchor: origin.messageId })
              }}
            >
              {words.fromChat}
            </a>
          </>
        )}
      </p>
      <ConfirmDialog
        danger
        open={deleting}
        onOpenChange={setDeleting}
        title={words.deleteTitle(name)}
        description={words.deleteBody}
        confirmLabel={words.delete}
        onConfirm={() => void finish(actions.remove(id), words.deleted(name))}
      />
    </article>
  )
}
