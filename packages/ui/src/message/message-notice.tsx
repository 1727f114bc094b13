import { CircleAlert, CircleStop } from 'lucide-react'
import type { ReactNode } from 'react'

import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { cx } from '../primitives/cx.ts'
import { budgetUseText } from './budget-use.ts'
import type { MessageActions, WaysOut } from './message-actions.ts'
import type { Notice } from './notice.ts'

export type MessageNoticeProps = {
  messageId: string
  notice: Notice
  actions: MessageActions
}

const NAMES = { continue: 'continue', raise: 'raiseBudget', resend: 'retry' } as const

/** Says how a reply ended when it did not end well, with the one action that helps. */
export function MessageNotice({ messageId, notice, actions }: MessageNoticeProps) {
  const messages = useMessages()
  const format = useFormat()
  const { onContinue, onRaiseBudget, onResend } = actions
  const run = { continue: onContinue, raise: onRaiseBudget, resend: onResend }[notice.action]
  const label = messages.notice[NAMES[notice.action]]
  const waysOut = notice.exhausted && actions.waysOut
  return (
    <NoticeLine
      tone={notice.tone}
      text={messages.notice[notice.text]}
      detail={notice.detail ?? (notice.budget && budgetUseText(notice.budget, format, messages))}
      action={
        run && (
          <Button small onClick={() => run(messageId)}>
            {label}
          </Button>
        )
      }
      more={waysOut && <WaysOutList {...waysOut} />}
    />
  )
}

/** What makes the conversation fit again, each with a button. */
function WaysOutList({ onCompact, onPrune, onLeaveOut, onBranch, onChooseModel }: WaysOut) {
  const { contextActions } = useMessages().history
  const { waysOut } = useMessages().notice
  const ways: [label: string, act: (() => void) | undefined][] = [
    [contextActions.compact, onCompact],
    [contextActions.prune, onPrune],
    [waysOut.leaveOut, onLeaveOut],
    [waysOut.branch, onBranch],
    [waysOut.model, onChooseModel],
  ]
  return (
    <ul aria-label={waysOut.label} className="flex basis-full flex-wrap gap-1.5 pb-1">
      {ways.map(
        ([name, act]) =>
          act && (
            <li key={name}>
              <Button small variant="quiet" onClick={act}>
                {name}
              </Button>
            </li>
          ),
      )}
    </ul>
  )
}

export type NoticeLineProps = {
  tone: 'neutral' | 'error'
  text: string
  detail?: string | undefined
  icon?: ReactNode
  action?: ReactNode
  /** Below the text. */
  more?: ReactNode
}

export function NoticeLine({ tone, text, detail, icon, action, more }: NoticeLineProps) {
  const Icon = tone === 'error' ? CircleAlert : CircleStop
  return (
    <div
      className={cx(
        'enter mt-3 mb-1 flex items-baseline gap-x-2.5 text-base',
        tone === 'error' && 'rounded-lg bg-danger-wash px-3.5 py-2',
      )}
    >
      <span className={cx('translate-y-0.5', tone === 'error' ? 'text-danger' : 'text-faint')}>
        {icon ?? <Icon aria-hidden size={16} />}
      </span>
      {/* The action wraps under the text on narrow screens. */}
      <div className="flex min-w-0 grow flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <span className={cx('min-w-0 wrap-anywhere', tone === 'error' && 'grow basis-60')}>
          <span className={tone === 'error' ? 'font-medium' : 'text-muted'}>{text}</span>{' '}
          {detail && <span className="text-muted">{detail}</span>}
        </span>
        {action}
        {more}
      </div>
    </div>
  )
}
