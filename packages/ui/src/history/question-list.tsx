import { ArrowDownToLine, ArrowUpToLine } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Dialog } from '../popups/dialog.tsx'
import { Button } from '../primitives/button.tsx'
import { matches } from '../primitives/matches.ts'
import { ListOption, ListSearch } from '../primitives/search-list.tsx'
import { Spinner } from '../primitives/spinner.tsx'
import { useListNavigation } from '../primitives/use-list-navigation.ts'

/** A message of the person, as a line. */
export type QuestionLine = {
  messageId: string
  /** Empty when it has only files. */
  text: string
  summarised: boolean
  createdAt: number
}

export type QuestionListProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The first asked first; null while they are loading. */
  questions: readonly QuestionLine[] | null
  failed: boolean
  onRetry: () => void
  /** The one that is read now. */
  currentId: string | null
  onGoTo: (messageId: string) => void
}

/** Every question of a chat: a filter, the first, the last, and a jump to any of them. */
export function QuestionList(props: QuestionListProps) {
  const { questions } = useMessages().history
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={questions.title}
      hideTitle
      place="top"
      className="max-w-[36rem] overflow-hidden"
    >
      <QuestionPanel {...props} />
    </Dialog>
  )
}

type Numbered = QuestionLine & { number: number }

function QuestionPanel({ questions, currentId, onGoTo, onOpenChange, ...props }: QuestionListProps) {
  const words = useMessages().history.questions
  const [query, setQuery] = useState('')
  const all = (questions ?? []).map((line, at): Numbered => ({ ...line, number: at + 1 }))
  const found = all.filter(({ text, number }) => isFound(text, number, query.trim()))
  const goTo = (line: Numbered | undefined) => {
    if (line === undefined) return
    onOpenChange(false)
    onGoTo(line.messageId)
  }
  const list = useListNavigation(found.length, query, (index) => goTo(found[index]))
  const here = all.findIndex(({ messageId }) => messageId === currentId)
  useStartAt(questions === null ? null : Math.max(0, here), list.setActive)

  const handleKey = (event: KeyboardEvent) => {
    const edge = { Home: 0, End: found.length - 1 }[event.key]
    // With text in the field these keys move in it.
    if (edge === undefined || query !== '' || edge < 0) return void list.handleKey(event)
    event.preventDefault()
    list.setActive(edge)
  }
  return (
    <>
      <ListSearch
        list={list}
        label={words.title}
        placeholder={words.search}
        count={found.length}
        query={query}
        onQueryChange={setQuery}
        onKeyDown={handleKey}
      />
      <div id={list.listId} role="listbox" aria-label={words.title} className="min-h-0 overflow-y-auto p-1.5">
        {found.map((line, at) => (
          <ListOption
            key={line.messageId}
            list={list}
            at={at}
            onChoose={() => goTo(line)}
            className="question-row flex items-baseline gap-3 px-3 py-1.5 coarse:min-h-11"
          >
            <QuestionRow line={line} here={line.messageId === currentId} />
          </ListOption>
        ))}
      </div>
      <Notice {...props} loading={questions === null} total={all.length} found={found.length} />
      <div className="flex flex-wrap items-center gap-1 border-line border-t py-2 pr-2 pl-4.5">
        <p role="status" className="min-w-0 grow text-xs text-muted tabular-nums">
          {questions !== null && words.count(found.length, all.length)}
        </p>
        <Button small variant="quiet" disabled={all.length === 0} onClick={() => goTo(all[0])}>
          <ArrowUpToLine aria-hidden size={14} />
          {words.first}
        </Button>
        <Button small variant="quiet" disabled={all.length === 0} onClick={() => goTo(all.at(-1))}>
          <ArrowDownToLine aria-hidden size={14} />
          {words.last}
        </Button>
      </div>
    </>
  )
}

/** A number finds the question at that place, other text the questions that hold it. */
function isFound(text: string, number: number, query: string): boolean {
  return matches(text, query) || `${number}` === query.replace(/^#/, '')
}

/** Makes a place active once it is known. */
function useStartAt(place: number | null, setActive: (index: number) => void): void {
  const started = useRef(false)
  useEffect(() => {
    if (place === null || started.current) return
    started.current = true
    setActive(place)
  })
}

function QuestionRow({ line, here }: { line: Numbered; here: boolean }) {
  const { questions: words, prompts } = useMessages().history
  const format = useFormat()
  return (
    <>
      <span className="w-9 shrink-0 text-right text-faint text-xs tabular-nums">{line.number}</span>
      <span className="min-w-0 grow">
        <span dir="auto" className="line-clamp-2 wrap-anywhere">
          {line.text || prompts.attachment}
        </span>
        <span className="flex gap-1.5 text-muted text-xs tabular-nums">
          {format.moment(line.createdAt, Date.now())}
          {line.summarised && <Fact text={words.summarised} />}
          {here && <Fact text={words.here} />}
        </span>
      </span>
    </>
  )
}

function Fact({ text }: { text: string }) {
  return (
    <>
      <span aria-hidden>·</span> {text}
    </>
  )
}

type NoticeProps = Pick<QuestionListProps, 'failed' | 'onRetry'> & {
  loading: boolean
  total: number
  found: number
}

function Notice({ loading, failed, onRetry, total, found }: NoticeProps) {
  const words = useMessages().history.questions
  if (failed)
    return (
      <p className="flex items-center gap-3 px-4.5 pt-1 pb-4 text-muted">
        {words.failed}
        <Button small onClick={onRetry}>
          {words.retry}
        </Button>
      </p>
    )
  if (loading)
    return (
      <p className="flex items-center gap-2 px-4.5 pt-1 pb-4 text-muted">
        <Spinner size={14} /> {words.loading}
      </p>
    )
  if (found > 0) return null
  return <p className="px-4.5 pt-1 pb-4 text-muted">{total === 0 ? words.empty : words.none}</p>
}
