import { Collapsible } from '@base-ui/react/collapsible'
import { Check, ChevronRight } from 'lucide-react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { Spinner } from '../primitives/spinner.tsx'
import { DecisionLine } from './decision-line.tsx'
import { LongText } from './long-text.tsx'
import { type ModelView, ModelViewNote } from './model-view-note.tsx'
import { QuestionDetails } from './question-details.tsx'
import { askedQuestions } from './question-part.ts'
import { ToolIcon } from './tool-icon.tsx'
import {
  outputText,
  type ToolPart,
  type ToolState,
  toJson,
  toolName,
  toolState,
  toolTarget,
  toolTitle,
} from './tool-part.ts'

export type ToolCallProps = {
  part: ToolPart
  /** True while the message is being written. */
  live: boolean
  /** Milliseconds, once it is known. */
  durationMs?: number | undefined
  /** What the model reads of its result. */
  modelView?: ModelView | undefined
}

/** Milliseconds above which a line shows how long its call took. */
const SHOWN_MS = 1_000

/** One call in one line; opens to its arguments and result. */
export function ToolCall({ part, live, durationMs, modelView }: ToolCallProps) {
  const format = useFormat()
  const { tool } = useMessages()
  const state = toolState(part, live)
  const duration = durationMs !== undefined && durationMs > SHOWN_MS ? format.duration(durationMs) : undefined
  return (
    <Collapsible.Root>
      <Collapsible.Trigger className="group/call flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-left transition hover:bg-wash coarse:min-h-11">
        <ToolIcon name={toolName(part)} />
        <span className="shrink-0 text-sm font-medium">{toolTitle(part, tool.titles)}</span>
        <span
          className={cx(
            'min-w-0 grow truncate text-muted',
            toolName(part) === 'question' ? 'text-sm' : 'font-code text-xs',
          )}
        >
          {toolTarget(part)}
        </span>
        <ToolBadge state={state} detail={duration} />
        <ChevronRight
          aria-hidden
          size={14}
          className="text-faint transition group-data-panel-open/call:rotate-90"
        />
      </Collapsible.Trigger>
      <DecisionLine part={part} />
      <Collapsible.Panel className="reveal">
        <ToolDetails part={part} modelView={modelView} />
      </Collapsible.Panel>
    </Collapsible.Root>
  )
}

const TONE: Record<ToolState, string> = {
  preparing: 'text-faint',
  running: 'text-muted',
  waiting: 'text-caution',
  done: 'text-faint',
  failed: 'text-danger',
  denied: 'text-danger',
  stopped: 'text-faint',
}

/** The state of a call in a word; `detail` is its duration once it is done. */
function ToolBadge({ state, detail }: { state: ToolState; detail?: string | undefined }) {
  const { tool } = useMessages()
  const busy = state === 'preparing' || state === 'running'
  return (
    <span className={cx('inline-flex shrink-0 items-center gap-1.5 text-xs tabular-nums', TONE[state])}>
      {busy && <Spinner size={13} />}
      {state === 'done' && <Check aria-hidden size={13} className="text-good" />}
      <span className={state === 'done' && detail ? 'sr-only' : ''}>{tool[state]}</span>
      {detail}
    </span>
  )
}

/** Arguments and result of a call; rendered only when its line is open. */
function ToolDetails({ part, modelView }: { part: ToolPart; modelView?: ModelView | undefined }) {
  const { tool } = useMessages()
  const questions = askedQuestions(part)
  const input = part.state === 'input-streaming' ? (part.rawInput ?? toJson(part.input)) : toJson(part.input)
  return (
    <div className="mr-2 mb-1.5 ml-3.5 space-y-2 border-line border-l py-1 pl-5">
      {questions !== null ? (
        <QuestionDetails questions={questions} />
      ) : (
        input !== '' && <LongText label={tool.arguments} text={input} />
      )}
      {part.state === 'output-available' && questions?.every(({ answers }) => answers !== null) !== true && (
        <>
          <LongText label={tool.result} text={outputText(part.output) || tool.emptyResult} />
          {modelView && <ModelViewNote {...modelView} />}
        </>
      )}
      {part.state === 'output-error' && <LongText label={tool.error} text={part.errorText} danger />}
      {part.state === 'output-denied' && (
        <LongText label={tool.denied} text={part.approval.reason ?? tool.denied} />
      )}
    </div>
  )
}
