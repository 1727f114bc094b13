import { useMessages } from '../messages/messages-context.tsx'
import { LongText } from './long-text.tsx'
import { type SeenAs, SeenNote } from './seen-note.tsx'
import { outputText, type ToolPart, toJson } from './tool-part.ts'

/** Arguments and outcome of a call; made only when its line is opened. */
export function ToolDetails({ part, seenAs }: { part: ToolPart; seenAs?: SeenAs | undefined }) {
  const { tool } = useMessages()
  const input = part.state === 'input-streaming' ? (part.rawInput ?? toJson(part.input)) : toJson(part.input)
  return (
    <div className="mr-2 mb-1.5 ml-3.5 space-y-2 border-line border-l py-1 pl-5">
      {input !== '' && <LongText label={tool.arguments} text={input} />}
      {part.state === 'output-available' && (
        <>
          <LongText label={tool.result} text={outputText(part.output) || tool.emptyResult} />
          {seenAs && <SeenNote {...seenAs} />}
        </>
      )}
      {part.state === 'output-error' && <LongText label={tool.error} text={part.errorText} danger />}
      {part.state === 'output-denied' && (
        <LongText label={tool.denied} text={part.approval.reason ?? tool.denied} />
      )}
    </div>
  )
}
