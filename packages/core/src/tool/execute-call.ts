import { untilAborted } from '../domain/async/until-aborted.ts'
import type { FilePart } from '../domain/files/blob.ts'
import type { CallJournal, Clock } from '../ports/index.ts'
import { type KeptResult, keepLarge } from './keep-large.ts'
import {
  FormNeeded,
  PermissionNeeded,
  type Tool,
  ToolError,
  type ToolResult,
  type ToolRuntime,
} from './tool.ts'

/** Milliseconds that one call may take. */
const TIMEOUT_MS = 120_000

/** What a finished call leaves in the message. */
export type ToolEnvelope = {
  type: 'output'
  text: string
  data?: object
  files?: FilePart[]
  /** All of the text, where `text` is its head. */
  whole?: FilePart
  /** All of `data` as JSON, where `data` is a part of it. */
  wholeData?: FilePart
  metadata: { duration_ms: number; truncated?: boolean; output_path?: string }
}

/** How a call ended: with an output, or with an error for the model. */
export type CallOutcome =
  | { type: 'output'; output: ToolEnvelope }
  | { type: 'error'; message: string; durationMs: number }

/** A person has to be asked before the call goes on. */
export type CallAsks = { type: 'asks'; needed: FormNeeded | PermissionNeeded }

/** What the calls of a run have in common. */
export type ToolContext = Omit<
  ToolRuntime,
  'toolCallId' | 'signal' | 'answers' | 'shown' | 'resumed' | 'permitted' | 'progress' | 'follow'
> & {
  /** Without it, changes of files are not noted. */
  journal?: CallJournal | null
}

/** A call whose arguments are valid. */
export type ValidCall = { toolCallId: string; tool: Tool; args: object }

/**
 * Executes calls of tools. Whatever a tool does, its call ends with an outcome: a throw, a timeout or the abort of `signal` is an
 * error for the model.
 */
export type ExecuteCall = (
  call: ValidCall & Pick<ToolRuntime, 'answers' | 'shown' | 'resumed' | 'permitted'>,
  signal: AbortSignal,
  /** Called with what the call has so far. */
  onProgress?: (output: ToolEnvelope) => void,
) => Promise<CallOutcome | CallAsks>

/** The executor of one step: calls of a tool with `parallel: false` wait for one another. */
export function createExecutor({ journal = null, ...context }: ToolContext): ExecuteCall {
  const last = new Map<Tool, Promise<unknown>>()
  return ({ toolCallId, tool, args, answers, shown, resumed, permitted }, signal, onProgress) => {
    const runtime = {
      ...context,
      ...(journal !== null && {
        files: journal.filesFor(toolCallId),
        follow: (ended: Promise<unknown>) => journal.follow(toolCallId, ended),
      }),
      toolCallId,
      answers,
      shown,
      resumed,
      permitted,
      signal,
    }
    const noted = journal !== null && tool.changesFiles === true && permitted === 'all' ? journal : null
    const work = () => execute(noted === null ? tool : notedBy(tool, noted), args, runtime, onProgress)
    if (tool.parallel !== false) return work()
    const mine = (last.get(tool) ?? Promise.resolve()).then(work)
    last.set(tool, mine)
    return mine
  }
}

async function execute(
  tool: Tool,
  args: object,
  context: Omit<ToolRuntime, 'progress'>,
  onProgress?: (output: ToolEnvelope) => void,
): Promise<CallOutcome | CallAsks> {
  const { clock } = context
  const startedAt = clock.elapsed()
  let ended = false
  const progress = (result: ToolResult) => {
    if (!ended && !context.signal.aborted) onProgress?.(toEnvelope(result, clock.elapsed() - startedAt))
  }
  const runtime: ToolRuntime = { ...context, progress }
  try {
    const result = await keepLarge(await inTime(tool, args, runtime, clock), runtime)
    return { type: 'output', output: toEnvelope(result, clock.elapsed() - startedAt) }
  } catch (error) {
    if (error instanceof FormNeeded) return { type: 'asks', needed: error }
    if (error instanceof PermissionNeeded && context.permitted === 'reading')
      return { type: 'asks', needed: error }
    return { type: 'error', message: failureOf(tool, error), durationMs: clock.elapsed() - startedAt }
  } finally {
    ended = true
  }
}

/** The tool, whose changes of files are noted until it has ended, also when nobody waits for it any more. */
function notedBy(tool: Tool, journal: CallJournal): Tool {
  return {
    ...tool,
    execute: (args, runtime) => journal.around(runtime.toolCallId, () => tool.execute(args, runtime)),
  }
}

/** What the model gets of an error. */
export function failureOf({ id }: Tool, error: unknown): string {
  return error instanceof ToolError ? error.message : `${id} failed.`
}

async function inTime(tool: Tool, args: object, runtime: ToolRuntime, clock: Clock): Promise<ToolResult> {
  const timeout = new AbortController()
  const limit = tool.timeoutMs?.(args) ?? TIMEOUT_MS
  using _timer = clock.after(limit, () =>
    timeout.abort(new ToolError(`${tool.id} took longer than ${limit / 1000} s`)),
  )
  const signal = AbortSignal.any([runtime.signal, timeout.signal])
  // A call that waited for its turn may find the run stopped.
  signal.throwIfAborted()
  return await untilAborted(tool.execute(args, { ...runtime, signal }), signal)
}

function toEnvelope(
  { text, data, files, truncated, outputPath, whole, wholeData }: KeptResult,
  durationMs: number,
): ToolEnvelope {
  return {
    type: 'output',
    text,
    ...(data && { data }),
    ...(files && { files }),
    ...(whole && { whole }),
    ...(wholeData && { wholeData }),
    metadata: {
      duration_ms: durationMs,
      ...(truncated && { truncated }),
      ...(outputPath && { output_path: outputPath }),
    },
  }
}
