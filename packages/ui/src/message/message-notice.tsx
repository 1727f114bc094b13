import { CircleAlert, CircleStop } from 'lucide-react'
import type { ReactNode } from 'react'

import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { cx } from '../primitives/cx.ts'
import { budgetUseText } from './budget-use.ts'
import type { MessageActions } from './message-actions.ts'
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
    />
  )
}

export type NoticeLineProps = {
  tone: 'neutral' | 'error'
  text: string
  detail?: string | undefined
  icon?: ReactNode
  action?: ReactNode
}

export function NoticeLine({ tone, text, detail, icon, action }: NoticeLineProps) {
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
      </div>
    </div>
  )
}
