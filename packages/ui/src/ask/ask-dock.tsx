import type {
  Answer,
  FormRefusal,
  PendingPermission,
  PendingQuestion,
  PermissionScope,
} from '@palimpsest/core/domain'
import { type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { visibleText } from '../exact/visible-text.ts'
import { lazyModule } from '../lazy/lazy-module.ts'
import { useLazy } from '../lazy/use-lazy.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { useMediaQuery } from '../primitives/use-media-query.ts'
import { ApprovalCard } from './approval-card.tsx'
import { ApproveAllCard } from './approve-all-card.tsx'
import type { AskDraft } from './ask-draft.ts'
import { QuestionCard } from './question-card.tsx'

/** A request of a run to the person. */
export type ShownAsk =
  | { kind: 'approval'; permission: PendingPermission }
  | { kind: 'answer'; question: PendingQuestion }

export type AskDockHandle = { focus(): void }

export type AskDockProps = {
  /** The oldest request, or null when nothing is asked. */
  ask: ShownAsk | null
  /** Whose request it is, where there are two chats. */
  of?: string
  /** Keys that lead here, as in `mod+shift+a`. */
  shortcut?: string
  /** Requests that wait behind it. */
  more: number
  /** Every call of its tool that its step asks for, the oldest first; with two or more they can be allowed at once. */
  alike?: readonly PendingPermission[]
  /** Whether the message field of the page has text; left out where digits count inside of the card only. */
  writing?: boolean | undefined
  /** True while a reply is on its way. */
  busy: boolean
  draft: AskDraft
  /** Characters that a reason or an answer may have. */
  maxCharacters: number
  onDraftChange: (draft: AskDraft) => void
  /** False for a chat without a folder. */
  hasProject?: boolean
  /** `pattern` is what is allowed from then on, in the session or in the project. */
  onAllow: (scope: PermissionScope, pattern?: string) => void
  /** Allows each of `alike` once. */
  onAllowAll?: () => void
  onDeny: () => void
  onAnswer: (answers: Answer[]) => void
  /** Refuses the form of a server. */
  onRefuse: (refused: FormRefusal) => void
  /** Focuses what the focus goes to when it leaves the dock. */
  onLeave: () => void
  ref?: Ref<AskDockHandle>
}

/** Forms of servers are rare. */
const lazyForm = lazyModule(() => import('./form-card.tsx'))

/** What a run asks of the person, above the composer. A focus inside goes on to the next request or to `onLeave`. */
export function AskDock({ ask, ref, of, shortcut, more, writing, onLeave, ...props }: AskDockProps) {
  const card = useRef<HTMLElement>(null)
  const { ask: words } = useMessages()
  const hadFocus = useRef(false)
  const touch = useMediaQuery('(pointer: coarse)')
  const askId = idOf(ask)
  const { alike = [], onAllowAll } = props
  /** The request from which all alike are shown. */
  const [allFrom, setAllFrom] = useState<string | null>(null)
  const showsAll = allFrom !== null && allFrom === askId && alike.length > 1
  useImperativeHandle(ref, () => ({ focus: () => card.current?.focus() }), [])

  const { busy } = props
  const isForm = ask?.kind === 'answer' && ask.question.form !== undefined
  const formCard = useLazy(lazyForm, isForm)
  const agent = ask?.kind === 'approval' ? ask.permission.subagent : ask?.question.subagent
  const from = of ?? (agent === undefined ? undefined : words.subagent(visibleText(agent)))
  const frame = { of: from, shortcut, more, writing, onLeave, ref: card }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another request, or one that is on its way, takes the focus away
  useLayoutEffect(() => {
    if (!hadFocus.current || document.activeElement !== document.body) return
    if (askId !== null) card.current?.focus()
    else {
      hadFocus.current = false
      // On a touch screen a focused field would open the keyboard.
      if (!touch) onLeave()
    }
  }, [askId, busy, formCard, showsAll])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it takes no input, only notes where the focus is
    <div
      className="px-3 md:px-0"
      onFocus={() => {
        hadFocus.current = true
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) hadFocus.current = false
      }}
    >
      {ask?.kind === 'approval' && showsAll && onAllowAll && (
        <ApproveAllCard
          permissions={alike}
          frame={{ ...frame, more: more - alike.length + 1 }}
          busy={busy}
          onAllow={onAllowAll}
          onBack={() => setAllFrom(null)}
        />
      )}
      {ask?.kind === 'approval' && !showsAll && (
        <ApprovalCard
          {...props}
          frame={frame}
          alike={alike.length}
          onShowAll={() => setAllFrom(askId)}
          key={askId}
          permission={ask.permission}
          reason={props.draft.reason}
          onReasonChange={(reason) => props.onDraftChange({ ...props.draft, reason })}
          pattern={props.draft.pattern}
          onPatternChange={(pattern) => props.onDraftChange({ ...props.draft, pattern })}
        />
      )}
      {isForm && formCard !== null && (
        <formCard.FormCard {...props} frame={frame} key={askId} question={ask.question} />
      )}
      {ask?.kind === 'answer' && !isForm && (
        <QuestionCard {...props} frame={frame} key={askId} question={ask.question} />
      )}
    </div>
  )
}

function idOf(ask: ShownAsk | null): string | null {
  if (ask === null) return null
  return ask.kind === 'approval' ? ask.permission.id : ask.question.id
}
