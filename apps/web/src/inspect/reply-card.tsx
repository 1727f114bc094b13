import { type InspectedMessage, type InspectedStep, totalTokens } from '@palimpsest/core/domain'
import { Button, useFormat, useMessages, visibleText } from '@palimpsest/ui'
import { useApp } from '../stores/app-context.tsx'
import { inspectWords as words } from '../words/en-inspect.ts'
import { PromptDetails } from './prompt-details.tsx'

export type ReplyCardProps = { sessionId: string; message: InspectedMessage }

/** A reply: its sums, its steps in a table, its prompt and tools on request. */
export function ReplyCard({ sessionId, message }: ReplyCardProps) {
  const { router } = useApp()
  const { finish } = useMessages()
  const format = useFormat()
  const { id, model, finishReason, durationMs, usage, costUsd, hidden, steps } = message
  const name = model === null ? words.unknown : `${model.providerId}/${model.modelId}`
  const facts = [
    finishReason === null ? words.unknown : finish[finishReason],
    ...(durationMs === null ? [] : [format.duration(durationMs)]),
    ...(usage === null ? [] : [words.tokensOf(totalTokens(usage))]),
    ...(costUsd === null ? [] : [format.cost(costUsd)]),
    ...(hidden ? [words.hidden] : []),
  ]
  return (
    <article aria-label={`${words.reply} ${id}`} className="rounded-lg border border-line px-4 py-3">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h3 className="font-medium wrap-anywhere">{name}</h3>
        <p className="min-w-0 grow text-sm text-muted">{facts.join(' · ')}</p>
        <Button small onClick={() => router.push({ sessionId, anchor: id })}>
          {words.open}
        </Button>
      </div>
      {steps.length === 0 ? (
        <p className="pt-2 text-sm text-muted">{words.noSteps}</p>
      ) : (
        <StepTable label={words.stepsOf(name)} steps={steps} />
      )}
      {message.stepsLeftOut > 0 && (
        <p className="pt-1 text-sm text-caution">{words.stepsLeftOut(message.stepsLeftOut)}</p>
      )}
      {message.callsLeftOut > 0 && (
        <p className="pt-1 text-sm text-caution">{words.callsLeftOut(message.callsLeftOut)}</p>
      )}
      {message.systemPromptDigest === null ? (
        <p className="pt-2 text-sm text-muted">{words.noPrompt}</p>
      ) : (
        <PromptDetails sessionId={sessionId} messageId={id} digest={message.systemPromptDigest} />
      )}
    </article>
  )
}

function StepTable({ label, steps }: { label: string; steps: readonly InspectedStep[] }) {
  const format = useFormat()
  const shown = (value: number | null, write: (value: number) => string) =>
    value === null ? words.unknown : write(value)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: A region that scrolls has to be reached by keys.
    <section aria-label={label} tabIndex={0} className="overflow-x-auto pt-2">
      <table className="w-full text-left text-sm">
        <thead className="text-muted">
          <tr>
            {[words.step, words.finish, words.duration, words.tokens, words.cost, words.calls].map((head) => (
              <th key={head} scope="col" className="py-1 pr-4 font-normal whitespace-nowrap">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map(({ no, finishReason, durationMs, tokens, unknown, costUsd, calls }) => (
            <tr key={no} className="border-line border-t align-top">
              <th scope="row" className="py-1 pr-4 font-normal tabular-nums">
                {no}
              </th>
              <td className="py-1 pr-4 whitespace-nowrap">{finishReason ?? words.unknown}</td>
              <td className="py-1 pr-4 whitespace-nowrap tabular-nums">
                {shown(durationMs, format.duration)}
              </td>
              <td className="py-1 pr-4 whitespace-nowrap tabular-nums">
                {unknown ? words.unknown : shown(tokens && totalTokens(tokens), format.count)}
              </td>
              <td className="py-1 pr-4 whitespace-nowrap tabular-nums">{shown(costUsd, format.cost)}</td>
              <td className="w-full py-1">
                {calls.map(({ toolCallId, tool, durationMs: took }) => (
                  <span key={toolCallId} className="mr-3 whitespace-nowrap">
                    <span className="font-code">{visibleText(tool)}</span>
                    {took !== null && <span className="text-muted"> {format.duration(took)}</span>}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
