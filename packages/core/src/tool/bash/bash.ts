import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { ProcessExit, RunningProcess } from '../../ports/index.ts'
import type { Shell } from '../shell.ts'
import { defineTool, PermissionNeeded, ToolError, type ToolResult, type ToolRuntime } from '../tool.ts'
import { type BoundedOutput, createBoundedOutput } from './bounded-output.ts'
import { requireCommand, requireWriting, widerCommands } from './require-command.ts'
import { missedSomething, triedToWrite } from './tried-to-write.ts'

const DEFAULT_MS = 120_000
const MAX_MS = 600_000
/** Milliseconds in which a command that is ended has to be gone. */
const ENDING_MS = 5_000
/** Milliseconds that a command in the background is watched, for one that fails at once. */
const FIRST_LOOK_MS = 500
/** Milliseconds between two looks of a person at a running command: four a second, and after a while one. */
const SHOWN_EVERY_MS = 250
const LONG_AFTER_MS = 30_000
const SHOWN_RARELY_MS = 1_000
/** Characters of the last output that an error quotes. */
const QUOTED = 4_000

const NO_SHELL = 'This server runs no commands.'
const NO_FOLDER = 'The folder of this chat is not allowed by the operator of this server, or is gone.'
const NOT_STARTED = 'The command could not be started.'
const TOO_MANY = 'Too many commands are running. Stop one with bash_stop, or wait.'

/** Runs a command line in the workspace. */
export const bashTool = defineTool({
  id: 'bash',
  withoutFolder: null,
  description:
    'Run a bash command line in the workspace. It has no input and no terminal. Plain commands that only read run at once; ' +
    'a person is asked about others, so keep a line to one purpose. Use background for what runs on, such as a server; ' +
    'bash_output then reads what it says, and bash_stop ends it.',
  input: z.object({
    command: z
      .string()
      .min(1)
      .max(20_000)
      .refine((line) => !line.includes('\0'), 'A command has no NUL character')
      .describe('The command line'),
    timeout: z.int().min(1).max(MAX_MS).default(DEFAULT_MS).describe('Milliseconds that it may take'),
    background: z.boolean().default(false).describe('Return at once, and let it run on'),
  }),
  requires: ({ command }, { workspaceRoot, shell }) => requireCommand(command, workspaceRoot, shell),
  widerPatterns: ({ pattern }) => widerCommands(pattern),
  changesFiles: true,
  timeoutMs: ({ timeout }) => timeout + ENDING_MS,
  execute: (args, runtime) => (args.background ? startInBackground(args, runtime) : run(args, runtime)),
})

type BashInput = { command: string; timeout: number }

/** What a line may do that nothing allows but the judgement that it reads: where there is a sandbox, no more than that. */
const ACCESS = { reading: 'read', all: 'write' } as const

const READ_ONLY =
  'It ran where nothing can be written or reached, and nothing but the workspace and the programs of the system can be read.'

const WORKSPACE_ONLY =
  'Only the workspace can be written, without protected names and settings of git. The repository of a linked work tree, or of a folder above, is outside.'

/** Whether the line ran where it can only read. */
function isConfined({ permitted, shell }: ToolRuntime): boolean {
  return permitted === 'reading' && shell !== null && shell.sandbox.kind !== 'none'
}

/** Has the call decided about again when it was confined and tried to write. */
async function refuseWriting(command: string, said: string, exit: ProcessExit, runtime: ToolRuntime) {
  const { workspaceRoot, shell } = runtime
  if (isConfined(runtime) && triedToWrite(said, exit.code))
    throw new PermissionNeeded(await requireWriting(command, workspaceRoot, shell))
}

/** The shell and the folder of the session. */
function openShell({ shell, workspaceRoot }: ToolRuntime): { shell: Shell; root: string } {
  if (shell === null) throw new ToolError(NO_SHELL)
  if (workspaceRoot === null) throw new ToolError(NO_FOLDER)
  return { shell, root: workspaceRoot }
}

async function run({ command, timeout }: BashInput, runtime: ToolRuntime): Promise<ToolResult> {
  const { shell, root } = openShell(runtime)
  const { clock, signal, sessionId, permitted } = runtime
  const running = shell.start({ line: command, root, sessionId, access: ACCESS[permitted] })
  if (running === null) throw new ToolError(TOO_MANY)
  const output = createBoundedOutput()
  using _shown = showWhileRunning(running, output, runtime)
  let timedOut = false
  using _timer = clock.after(timeout, () => {
    timedOut = true
    void running.end()
  })
  const stop = () => void running.end()
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const exit = await running.exited
    .catch((error: unknown) => {
      throw new ToolError(error instanceof AppError ? error.message : NOT_STARTED, { cause: error })
    })
    .finally(() => signal.removeEventListener('abort', stop))
  // What it left running ends with the call.
  await running.end()
  if (timedOut) {
    await running.forgetOutput()
    throw new ToolError(tooLong(timeout, output))
  }
  const said = output.head + output.tail
  await refuseWriting(command, said, exit, runtime).catch(async (error: unknown) => {
    await running.forgetOutput()
    throw error
  })
  const remarks = [...running.remarks, ...whyItMayHaveFailed(said, exit, runtime)]
  const result = toResult(output, exit, running.outputPath, remarks)
  if (result.outputPath === undefined) return result
  const all = {
    read: () => running.readOutput(LIMITS.blobBytes),
    stored: (hash: string, isAll: boolean) => (isAll ? running.forgetOutput() : running.keepOutput(hash)),
  }
  return { ...result, all }
}

/** What the sandbox has to do with a failure, as far as the output shows it. */
function whyItMayHaveFailed(said: string, { code }: ProcessExit, runtime: ToolRuntime): string[] {
  if (isConfined(runtime)) return missedSomething(said, code) ? [READ_ONLY] : []
  const isBoxed = runtime.shell !== null && runtime.shell.sandbox.kind !== 'none'
  return isBoxed && code !== 0 && triedToWrite(said, code) ? [WORKSPACE_ONLY] : []
}

function tooLong(timeout: number, output: BoundedOutput): string {
  const last = output.tail.slice(-QUOTED).toWellFormed()
  return `The command took longer than ${timeout / 1000} s and was ended. The end of its output:\n${last}`
}

/** Shows the end of the output so far, at most four times a second. */
function showWhileRunning(
  running: RunningProcess,
  output: BoundedOutput,
  { clock, progress }: ToolRuntime,
): Disposable {
  const startedAt = clock.elapsed()
  let timer: Disposable | null = null
  const show = () => {
    timer = null
    progress({ text: output.tail, data: { running: true } })
  }
  running.onOutput((text) => {
    output.add(text)
    const every = clock.elapsed() - startedAt > LONG_AFTER_MS ? SHOWN_RARELY_MS : SHOWN_EVERY_MS
    timer ??= clock.after(every, show)
  })
  return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() }
}

function toResult(
  output: BoundedOutput,
  exit: ProcessExit,
  path: string | null,
  remarks: readonly string[],
): ToolResult {
  const { head, truncated, length } = output
  const notes = [
    ...(truncated
      ? [`Only the beginning of ${length} characters.${path === null ? '' : ` All of it: ${path}`}`]
      : []),
    ...(exit.code === 0 ? [] : [describeExit(exit)]),
    ...remarks,
  ]
  const text = [
    head === '' && notes.length === 0 ? '(no output)' : head.trimEnd(),
    ...notes.map((note) => `[${note}]`),
  ]
  return {
    text: text.filter((line) => line !== '').join('\n'),
    ...(exit.code !== 0 && { ending: `[${describeExit(exit)}]` }),
    data: { exitCode: exit.code, ...(exit.signal !== null && { signal: exit.signal }) },
    ...(truncated && { truncated, ...(path !== null && { outputPath: path }) }),
  }
}

/** How a command ended, in a few words. */
export function describeExit({ code, signal }: ProcessExit): string {
  return code === null ? `ended by ${signal ?? 'a failure'}` : `exit code ${code}`
}

async function startInBackground({ command }: BashInput, runtime: ToolRuntime): Promise<ToolResult> {
  const { shell, root } = openShell(runtime)
  const { clock, signal, sessionId, permitted } = runtime
  const started = shell.startInBackground({ line: command, root, sessionId, access: ACCESS[permitted] })
  if (started === null) throw new ToolError(TOO_MANY)
  await clock.sleep(FIRST_LOOK_MS, signal).catch(async (error: unknown) => {
    // The model would never learn its id.
    await shell.stop(sessionId, started.id)
    throw error
  })
  runtime.follow?.(shell.ended(sessionId, started.id))
  const now = shell.read(sessionId, started.id, 0)
  const exit = now?.command.exit ?? null
  if (exit !== null) await refuseWriting(command, now?.text ?? '', exit, runtime)
  const state = exit === null ? 'It runs in the background' : `It has ended (${describeExit(exit)})`
  return {
    text: `${state}; its id is ${started.id}.\n${now?.text ?? ''}`.trimEnd(),
    data: { processId: started.id, running: exit === null },
  }
}
