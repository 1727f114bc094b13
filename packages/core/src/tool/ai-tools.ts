import { tool as aiTool, type Schema, type ToolSet, zodSchema } from 'ai'
import { outputText } from '../context/output-text.ts'
import { untilAborted } from '../domain/until-aborted.ts'
import { type Tool, ToolError, type ToolResult, type ToolRuntime } from './tool.ts'

/** Milliseconds that one call may take. */
const TIMEOUT_MS = 120_000

/** What a finished call leaves in the message. Failures are tool errors: their text, and the time as `toolMetadata`. */
export type ToolEnvelope = {
  type: 'output'
  text: string
  data?: object
  metadata: { duration_ms: number; truncated?: boolean; output_path?: string }
}

export type ToolContext = Omit<ToolRuntime, 'toolCallId' | 'signal'>

/** The catalogue as the AI SDK takes it: arguments are validated by it, results come back in an envelope. */
export function toAiTools(tools: readonly Tool[], context: ToolContext): ToolSet {
  return Object.fromEntries(tools.map((tool) => [tool.id, toAiTool(tool, context)]))
}

/** Given a zod schema, the SDK makes JSON Schema of it for each model call anew. */
const schemas = new WeakMap<Tool, Schema<object>>()

function schemaOf(tool: Tool): Schema<object> {
  const known = schemas.get(tool) ?? zodSchema(tool.input)
  schemas.set(tool, known)
  return known
}

function toAiTool(tool: Tool, context: ToolContext) {
  const inTurn = tool.parallel === false ? createTurns() : runAtOnce
  return aiTool({
    description: tool.description,
    inputSchema: schemaOf(tool),
    execute: (args, { toolCallId, abortSignal }) =>
      inTurn(() =>
        call(tool, args, { ...context, toolCallId, signal: abortSignal ?? new AbortController().signal }),
      ),
    // An imported output may be anything.
    toModelOutput: ({ output }) => ({ type: 'text', value: outputText(output) }),
  })
}

async function call(tool: Tool, args: object, runtime: ToolRuntime): Promise<ToolEnvelope> {
  const { clock, signal } = runtime
  const startedAt = clock.elapsed()
  const timeout = new AbortController()
  using _timer = clock.after(TIMEOUT_MS, () =>
    timeout.abort(new ToolError(`${tool.id} took longer than ${TIMEOUT_MS / 1000} s`)),
  )
  const limited = AbortSignal.any([signal, timeout.signal])
  // A call that waited for its turn may find the run stopped.
  limited.throwIfAborted()
  try {
    const result = await untilAborted(tool.execute(args, { ...runtime, signal: limited }), limited)
    return toEnvelope(result, clock.elapsed() - startedAt)
  } catch (error) {
    throw error instanceof ToolError ? error : new ToolError(`${tool.id} failed.`, { cause: error })
  }
}

function toEnvelope({ text, data, truncated, outputPath }: ToolResult, durationMs: number): ToolEnvelope {
  return {
    type: 'output',
    text,
    ...(data && { data }),
    metadata: {
      duration_ms: durationMs,
      ...(truncated && { truncated }),
      ...(outputPath && { output_path: outputPath }),
    },
  }
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>

const runAtOnce: InTurn = (work) => work()

function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work, work)
    last = mine.catch(() => undefined)
    return mine
  }
}
