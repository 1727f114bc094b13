import type { PromptLeftOut } from '@palimpsest/core/domain'
import { TriangleAlert } from 'lucide-react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'

/** At a reply whose system prompt does not hold all instructions of the project. */
export function CutNote({ paths }: { paths: readonly string[] }) {
  const { message } = useMessages()
  return <Note text={message.instructionsCut(paths.join(', '))} />
}

/** At the first reply whose requests leave out instructions or tools, since they would take too much of a small window. */
export function PromptLeftOutNote({ leftOut }: { leftOut: PromptLeftOut }) {
  const { message } = useMessages()
  const format = useFormat()
  const { limit, tools, skills, instructions, personal, memories } = leftOut
  const things = [
    ...(tools.length > 0 ? [message.leftOutTools(tools.join(', '))] : []),
    ...(skills.length > 0 ? [message.leftOutSkills(skills.join(', '))] : []),
    ...(instructions.length > 0 ? [message.leftOutInstructions(instructions.join(', '))] : []),
    ...(personal ? [message.leftOutPersonal] : []),
    ...(memories ? [message.leftOutMemories] : []),
  ]
  return <Note text={`${message.promptLeftOut(format.count(limit))} ${things.join('; ')}.`} />
}

function Note({ text }: { text: string }) {
  return (
    <p className="flex items-baseline gap-x-1.5 py-1 text-xs text-muted">
      <TriangleAlert aria-hidden size={13} className="shrink-0 translate-y-0.5" />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </p>
  )
}
