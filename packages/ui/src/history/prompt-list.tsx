import { type KeyboardEvent, useEffect, useState } from 'react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Dialog } from '../popups/dialog.tsx'
import { Button } from '../primitives/button.tsx'
import { Kbd } from '../primitives/kbd.tsx'
import { matches } from '../primitives/matches.ts'
import { ListOption, ListSearch } from '../primitives/search-list.tsx'
import { type ListNavigation, useListNavigation } from '../primitives/use-list-navigation.ts'
import { useMediaQuery } from '../primitives/use-media-query.ts'

/** A user message that a rewind can go to. */
export type Prompt = {
  id: string
  /** Empty when it has only files. */
  text: string
  createdAt: number
  /** Messages after it that a rewind to it hides. */
  hides: number
}

export type PromptListProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The latest first. */
  prompts: readonly Prompt[]
  /** Whether a rewind restores files. */
  restoresFiles: boolean
  /** Files that a rewind to the highlighted message restores; null until they are counted. */
  files: number | null
  /** Called with the highlighted message; null for none. */
  onPoint: (messageId: string | null) => void
  onEdit: (messageId: string) => void
  onRewind: (messageId: string) => void
  /** Absent when every message is loaded. */
  onLoadOlder?: (() => void) | undefined
}

/**
 * The user messages that a rewind can go to: Enter edits the highlighted one, ⌘ Enter rewinds without sending. On touch,
 * a tap highlights and the buttons choose.
 */
export function PromptList(props: PromptListProps) {
  const { history } = useMessages()
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={history.prompts.title}
      hideTitle
      place="top"
      className="max-w-[36rem] overflow-hidden"
    >
      <PromptPanel {...props} />
    </Dialog>
  )
}

function PromptPanel(props: PromptListProps) {
  const { prompts, onPoint, onOpenChange, onEdit, onRewind, onLoadOlder } = props
  const { history } = useMessages()
  const words = history.prompts
  const [query, setQuery] = useState('')
  const found = prompts.filter(({ text }) => matches(text, query.trim()))
  const choose = (index: number, act = onEdit) => {
    const prompt = found[index]
    if (prompt === undefined) return
    onOpenChange(false)
    act(prompt.id)
  }
  const list = useListNavigation(found.length, query, choose)
  const touch = useMediaQuery('(pointer: coarse)')
  const pointed = found[list.active]?.id ?? null
  useEffect(() => onPoint(pointed), [onPoint, pointed])
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      choose(list.active, onRewind)
    } else list.handleKey(event)
  }
  return (
    <>
      <ListSearch
        list={list}
        label={words.title}
        placeholder={words.title}
        count={found.length}
        query={query}
        onQueryChange={setQuery}
        onKeyDown={handleKey}
      />
      <div id={list.listId} role="listbox" aria-label={words.title} className="min-h-0 overflow-y-auto p-1.5">
        {found.map((prompt, at) => (
          <PromptRow
            key={prompt.id}
            list={list}
            at={at}
            prompt={prompt}
            onChoose={() => (touch ? list.setActive(at) : choose(at))}
          />
        ))}
      </div>
      {found.length === 0 && (
        <p className="px-4.5 pt-1 pb-4 text-muted">
          {prompts.length === 0 && !onLoadOlder ? words.empty : words.none}
        </p>
      )}
      {onLoadOlder && (
        <Button variant="quiet" className="mx-1.5 mb-1.5" onClick={onLoadOlder}>
          {words.older}
        </Button>
      )}
      <div className="flex flex-wrap items-center gap-x-1 gap-y-2 border-line border-t py-2 pr-2 pl-4.5">
        <FilesNote {...props} />
        <span className="ml-auto flex gap-1">
          <Button
            small
            variant="quiet"
            disabled={pointed === null}
            onClick={() => choose(list.active, onRewind)}
          >
            {words.rewind} <Keys keys="mod+enter" />
          </Button>
          <Button small disabled={pointed === null} onClick={() => choose(list.active)}>
            {words.edit} <Keys keys="enter" />
          </Button>
        </span>
      </div>
    </>
  )
}

function FilesNote({ restoresFiles, files }: Pick<PromptListProps, 'restoresFiles' | 'files'>) {
  const { prompts } = useMessages().history
  return (
    <p role="status" className="min-w-0 grow basis-52 text-xs text-muted">
      {restoresFiles && files !== null ? prompts.filesCounted(files) : prompts.files(restoresFiles)}
    </p>
  )
}

function Keys({ keys }: { keys: string }) {
  return (
    <span className="coarse:hidden">
      <Kbd keys={keys} />
    </span>
  )
}

type PromptRowProps = {
  list: ListNavigation
  at: number
  prompt: Prompt
  onChoose: () => void
}

function PromptRow({ list, at, prompt, onChoose }: PromptRowProps) {
  const { history } = useMessages()
  const format = useFormat()
  return (
    <ListOption list={list} at={at} onChoose={onChoose} className="px-3 py-2 coarse:min-h-11">
      <span className="line-clamp-2 wrap-anywhere">{prompt.text || history.prompts.attachment}</span>
      <span className="flex gap-1.5 text-xs text-muted tabular-nums">
        {format.moment(prompt.createdAt, Date.now())} <span aria-hidden>·</span>{' '}
        {history.prompts.hides(prompt.hides)}
      </span>
    </ListOption>
  )
}
