import { Collapsible } from '@base-ui/react/collapsible'
import { type FileChange, isOwnCall, outputFiles, wholeOutput } from '@palimpsest/core/domain'
import { ChevronRight } from 'lucide-react'
import { LazyDiff } from '../diff/lazy-diff.tsx'
import { ExactText } from '../exact/exact-text.tsx'
import { visibleText, visibleWords } from '../exact/visible-text.ts'
import { FileParts } from '../files/file-parts.tsx'
import { isHeld } from '../files/file-source.ts'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { cx } from '../primitives/cx.ts'
import { Spinner } from '../primitives/spinner.tsx'
import { ArgumentRows } from './argument-rows.tsx'
import { changeOf } from './change-of.ts'
import { DecisionLine, useAllowance } from './decision-line.tsx'
import { LongText } from './long-text.tsx'
import { type ModelView, ModelViewNote } from './model-view-note.tsx'
import { QuestionDetails } from './question-details.tsx'
import { askedQuestions } from './question-part.ts'
import { useShowChange } from './show-change.ts'
import { SubagentRun } from './subagent-run.tsx'
import { ToolIcon } from './tool-icon.tsx'
import {
  failedExit,
  outputSoFar,
  ownToolName,
  runsOn,
  shownOutput,
  subagentOf,
  type ToolPart,
  type ToolState,
  toolName,
  toolTarget,
  toolTitle,
} from './tool-part.ts'
import { useToolStates } from './waiting-calls.ts'
import { WholeOutput } from './whole-output.tsx'

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
  const state = useToolStates(live)(part)
  const soFar = outputSoFar(part)
  const exit = failedExit(part)
  const subagent = subagentOf(part)
  const duration = durationMs !== undefined && durationMs > SHOWN_MS ? format.duration(durationMs) : undefined
  return (
    <Collapsible.Root>
      <Collapsible.Trigger className="group/call flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-left transition hover:bg-wash coarse:min-h-11">
        <ToolIcon name={toolName(part)} />
        <span className="shrink-0 text-sm font-medium">{visibleText(toolTitle(part, tool.titles))}</span>
        <span
          className={cx(
            'min-w-0 grow truncate text-muted',
            ownToolName(part) === 'question' ? 'text-sm' : 'exact-inline font-code text-xs',
          )}
        >
          {ownToolName(part) === 'question' ? (
            visibleWords(toolTarget(part))
          ) : (
            <ExactText text={toolTarget(part)} />
          )}
        </span>
        <ChangeCount part={part} />
        {subagent === null && (
          <ToolBadge
            state={state}
            detail={exit === null ? (runsOn(part) ? tool.inBackground : duration) : tool.exitCode(exit)}
            good={exit === null}
          />
        )}
        <ChevronRight
          aria-hidden
          size={14}
          className="text-faint transition group-data-panel-open/call:rotate-90"
        />
      </Collapsible.Trigger>
      <DecisionLine part={part} />
      {subagent !== null && <SubagentRun part={part} state={state} sessionId={subagent} />}
      {state === 'running' && soFar !== null && <LiveOutput text={soFar} />}
      <Collapsible.Panel className="reveal">
        <ToolDetails part={part} modelView={modelView} />
      </Collapsible.Panel>
    </Collapsible.Root>
  )
}

/** Lines of a running command that are shown. */
const LIVE_LINES = 8

/** The last lines of what a command has said so far. */
function LiveOutput({ text }: { text: string }) {
  const lines = text.trimEnd().split('\n').slice(-LIVE_LINES)
  return (
    <pre
      dir="ltr"
      className="mr-2 mb-1.5 ml-8 overflow-hidden rounded-md bg-inset px-3 py-2 font-code text-xs leading-snug text-muted whitespace-pre-wrap wrap-anywhere"
    >
      {visibleWords(lines.join('\n'))}
    </pre>
  )
}

/** How many lines a change of a file has added and removed. */
function ChangeCount({ part }: { part: ToolPart }) {
  const change = changeOf(part)
  return change === null ? null : (
    <span className="shrink-0 text-xs tabular-nums">
      {change.added > 0 && <span className="text-good">+{change.added}</span>}{' '}
      {change.removed > 0 && <span className="text-danger">−{change.removed}</span>}
    </span>
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

/** The state of a call in a word, which one that is done needs not; `detail` is its duration once it is done, or how it failed. */
function ToolBadge({
  state,
  detail,
  good,
}: {
  state: ToolState
  detail?: string | undefined
  good: boolean
}) {
  const { tool } = useMessages()
  const busy = state === 'preparing' || state === 'running'
  return (
    <span
      className={cx(
        'inline-flex shrink-0 items-center gap-1.5 text-xs tabular-nums',
        good ? TONE[state] : 'text-caution',
      )}
    >
      {busy && <Spinner size={13} />}
      <span className={state === 'done' ? 'sr-only' : ''}>{tool[state]}</span>
      {detail}
    </span>
  )
}

/** The files of a result; each opens in the viewer. Nothing is fetched from elsewhere. */
function ResultFiles({ output }: { output: unknown }) {
  const files = outputFiles(output).filter(isHeld)
  return files.length === 0 ? null : <FileParts parts={files} />
}

/** The way to all of a result whose head is shown. */
function WholeResult({ part }: { part: ToolPart }) {
  const whole = wholeOutput(part.output)
  return whole && <WholeOutput file={whole} toShown={(text) => shownOutput(part, text)} />
}

/** A change of a file, and the way to the list of all that became of it. */
function Changed({ change }: { change: FileChange }) {
  const showChange = useShowChange()
  return (
    <>
      <LazyDiff change={change} />
      {showChange && (
        <Button small variant="quiet" onClick={() => showChange.show(change.path)}>
          {showChange.label}
        </Button>
      )}
    </>
  )
}

/** Arguments and result of a call; rendered only when its line is open. */
function ToolDetails({ part, modelView }: { part: ToolPart; modelView?: ModelView | undefined }) {
  const { tool } = useMessages()
  const questions = askedQuestions(part)
  const change = changeOf(part)
  const allowance = useAllowance(part)
  return (
    <div className="mr-2 mb-1.5 ml-3.5 space-y-2 border-line border-l py-1 pl-5">
      {questions !== null ? (
        <QuestionDetails questions={questions} />
      ) : (
        change === null && <ArgumentRows part={part} />
      )}
      {change !== null && <Changed change={change} />}
      {part.state === 'output-available' &&
        change === null &&
        questions?.every(({ answers }) => answers !== null) !== true && (
          <>
            {isOwnCall(part) && <ResultFiles output={part.output} />}
            <LongText label={tool.result} text={shownOutput(part, part.output) || tool.emptyResult} />
            {isOwnCall(part) && <WholeResult part={part} />}
            {modelView && <ModelViewNote {...modelView} />}
          </>
        )}
      {part.state === 'output-error' && <LongText label={tool.error} text={part.errorText} danger />}
      {part.state === 'output-denied' && (
        <LongText label={tool.denied} text={part.approval.reason ?? tool.denied} />
      )}
      {allowance !== null && <p className="text-xs text-muted wrap-anywhere">{allowance}</p>}
    </div>
  )
}
