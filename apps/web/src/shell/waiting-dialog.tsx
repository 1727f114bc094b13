import { Dialog, useMessages, visibleText } from '@palimpsest/ui'
import { ChevronRight } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { AskPanel } from '../composer/ask-panel.tsx'
import { useWorkspace } from '../list/workspace-context.tsx'
import { oldestAsk } from '../session/asks.ts'
import { attentionWords as words } from '../words/en-attention.ts'
import type { NamedWaiting } from './use-waiting.ts'

export type WaitingDialogProps = {
  waiting: readonly NamedWaiting[]
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Everything that chats ask of the person, one chat opened at a time; it closes with the last answer. */
export function WaitingDialog({ waiting, open, onOpenChange }: WaitingDialogProps) {
  const done = open && waiting.length === 0
  useEffect(() => {
    if (done) onOpenChange(false)
  }, [done, onOpenChange])
  return (
    <Dialog
      open={open && !done}
      onOpenChange={onOpenChange}
      title={words.waiting}
      description={words.lead}
      closable
      place="top"
      className="max-w-[42rem]"
    >
      <WaitingList waiting={waiting} onLeave={() => onOpenChange(false)} />
    </Dialog>
  )
}

function WaitingList({ waiting, onLeave }: { waiting: readonly NamedWaiting[]; onLeave: () => void }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const shown = waiting.find(({ id }) => id === chosen)?.id ?? waiting[0]?.id
  const hadFocus = useRef(false)
  // What had the focus went with its chat: the next one gets it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another chat in front takes the focus away
  useEffect(() => {
    if (!hadFocus.current || document.activeElement !== document.body) return
    list.current?.querySelector<HTMLElement>('[aria-expanded=true]')?.focus()
  }, [shown])
  return (
    <ul
      ref={list}
      aria-label={words.waiting}
      onFocus={() => {
        hadFocus.current = true
      }}
      className="min-h-0 space-y-1 overflow-y-auto p-3 pt-4"
    >
      {waiting.map((chat) => (
        <WaitingRow
          key={chat.id}
          chat={chat}
          shown={chat.id === shown}
          onShow={() => setChosen(chat.id)}
          onLeave={onLeave}
        />
      ))}
    </ul>
  )
}

type WaitingRowProps = { chat: NamedWaiting; shown: boolean; onShow: () => void; onLeave: () => void }

function WaitingRow({ chat, shown, onShow, onLeave }: WaitingRowProps) {
  const { ask: texts } = useMessages()
  const { actions } = useWorkspace()
  const body = useId()
  const button = useRef<HTMLButtonElement>(null)
  const { ask, more } = oldestAsk(chat.asks, new Set())
  const what =
    ask?.kind === 'approval'
      ? texts.approve(visibleText(ask.permission.tool))
      : texts.answer(ask?.question.questions.length ?? 1)
  return (
    <li>
      <button
        ref={button}
        type="button"
        aria-expanded={shown}
        aria-controls={body}
        onClick={onShow}
        className="flex min-h-control w-full items-center gap-2 rounded-md px-2 py-1.5 text-left transition hover:bg-wash coarse:min-h-11"
      >
        <ChevronRight
          aria-hidden
          size={15}
          className={`shrink-0 text-faint transition ${shown ? 'rotate-90' : ''}`}
        />
        <span dir="auto" className="min-w-0 grow truncate font-medium">
          {chat.name}
        </span>
        <span className="shrink-0 truncate text-sm text-muted max-md:hidden">
          {more > 0 ? words.more(more + 1) : what}
        </span>
      </button>
      <div id={body} className="[&_section]:max-h-[max(18rem,48dvh)]">
        {shown && (
          <>
            <AskPanel
              listed
              state={{ asks: chat.asks, session: chat.session }}
              onLeave={() => button.current?.focus()}
            />
            <a
              href={actions.hrefFor(chat.opens)}
              onClick={(event) => {
                event.preventDefault()
                onLeave()
                actions.onSelect(chat.opens)
              }}
              className="mb-1 inline-flex h-control items-center rounded-md px-3 text-sm underline underline-offset-2 coarse:h-11"
            >
              {words.openChat}
            </a>
          </>
        )}
      </div>
    </li>
  )
}
