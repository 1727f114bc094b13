import { z } from 'zod'
import { isObject } from '../../domain/json/stored-keys.ts'
import type { ChatPart } from '../../domain/message/message.ts'
import { defineTool, ToolError, type ToolFacts } from '../tool.ts'
import { describeExit } from './bash.ts'
import { createBoundedOutput } from './bounded-output.ts'

const input = z.object({ id: z.string().min(1).max(128).describe('The id that bash gave') })

const UNKNOWN = 'This chat has no command in the background with this id.'

function hasBackgroundCommand({ parts, hasCommands }: ToolFacts): boolean {
  return hasCommands || parts.some(isBackgroundCall)
}

function isBackgroundCall(part: ChatPart): boolean {
  return (
    part.type === 'tool-bash' && 'input' in part && isObject(part.input) && part.input['background'] === true
  )
}

/** Reads what a command in the background has said. */
export const bashOutputTool = defineTool({
  id: 'bash_output',
  withoutFolder: null,
  description: 'Read the output of a command that bash started in the background, and whether it still runs.',
  input: input.extend({
    from: z
      .int()
      .min(0)
      .default(0)
      .describe('Character of the output to read from, as the last reading gave it'),
  }),
  canAct: hasBackgroundCommand,
  requires: () => [],
  async execute({ id, from }, { shell, sessionId }) {
    const read = shell?.read(sessionId, id, from) ?? null
    if (read === null) throw new ToolError(UNKNOWN)
    const { exit } = read.command
    const output = createBoundedOutput()
    output.add(read.text)
    const missing = read.from > from ? [`[${read.from - from} characters before it are no longer held]`] : []
    const next = read.from + output.head.length
    const state = exit === null ? 'running' : describeExit(exit)
    return {
      text: [...missing, output.head.trimEnd() || '(no new output)', `[${state}; read on from ${next}]`].join(
        '\n',
      ),
      data: { processId: id, running: exit === null, from: next },
      ...(output.truncated && { truncated: true }),
    }
  },
})

/** Ends a command in the background. */
export const bashStopTool = defineTool({
  id: 'bash_stop',
  withoutFolder: null,
  description: 'End a command that bash started in the background, with everything that it started.',
  input,
  canAct: hasBackgroundCommand,
  requires: () => [],
  async execute({ id }, { shell, sessionId }) {
    if (shell === null || shell.read(sessionId, id, 0) === null) throw new ToolError(UNKNOWN)
    const stopped = await shell.stop(sessionId, id)
    return {
      text: stopped ? 'It is ended.' : 'It had ended before.',
      data: { processId: id, running: false },
    }
  },
})
