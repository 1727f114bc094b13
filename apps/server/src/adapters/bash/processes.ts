import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type {
  Clock,
  ProcessCommand,
  ProcessExit,
  Processes,
  RunningProcess,
  WrappedCommand,
} from '@palimpsest/core/ports'
import { COMMAND_BOUNDS, type CommandBounds } from './command-bounds.ts'
import { commandEnvironment } from './command-environment.ts'
import { endGroup } from './end-group.ts'
import { type Guard, inspectWorkspace } from './inspect-workspace.ts'
import { killMarked, MARK, OWNER, processesWith, signal } from './marked-processes.ts'
import { createOutputFile } from './output-file.ts'
import { createOutputFolder, type OutputFolder } from './output-folder.ts'
import { watchCommand } from './watch-command.ts'
import type { WritingCommands } from './writing-commands.ts'

/** Milliseconds in which output that a command left in its pipe is read after its exit. */
const DRAIN_MS = 100

export type ProcessSettings = {
  clock: Clock
  /** The folder for outputs that are longer than a result. */
  outputs: string
  /** Names the store of this server: what an earlier server on it left running is ended by it. */
  owner: string
  guard: Guard
  writing: Pick<WritingCommands, 'settleEarlier'>
  /** What one command may use; those of `COMMAND_BOUNDS` by default. */
  bounds?: CommandBounds
}

/** Commands as processes of this machine. */
export function createProcesses({
  clock,
  outputs,
  owner,
  guard,
  writing,
  bounds = COMMAND_BOUNDS,
}: ProcessSettings): Processes {
  const running = new Set<string>()
  const folder = createOutputFolder(outputs, { clock, isRunning: (mark) => running.has(mark) })
  return {
    start(command) {
      const started = startProcess(command, { clock, folder, owner, bounds })
      running.add(command.mark)
      started.exited.catch(() => undefined).finally(() => running.delete(command.mark))
      return started
    },
    async endOrphans() {
      await killMarked(OWNER, owner)
      return await writing.settleEarlier()
    },
    sweepOutputs: folder.sweep,
    inspect: (root, reach) => inspectWorkspace(root, reach, guard),
  }
}

type StartSettings = { clock: Clock; folder: OutputFolder; owner: string; bounds: CommandBounds }

function startProcess(
  { wrap, variables, mark }: ProcessCommand,
  { clock, folder, owner, bounds }: StartSettings,
): RunningProcess {
  const env = commandEnvironment({ ...variables, [MARK]: mark, [OWNER]: owner })
  const remarks: string[] = []
  const wrapped = wrap()
  const file = createOutputFile(folder.pathOf(mark))
  const decoder = new TextDecoder()
  const listeners = new Set<(text: string) => void>()
  let early = ''
  let ending: Promise<void> | null = null
  let pid: number | undefined

  function pass(text: string): void {
    if (text === '') return
    if (listeners.size === 0) early += text
    else for (const listener of listeners) listener(text)
  }

  function read(stdout: Readable): void {
    stdout.on('data', (bytes: Buffer) => {
      pass(decoder.decode(bytes, { stream: true }))
      const full = file.add(bytes)
      if (file.isFull) void end()
      if (full === null) return
      stdout.pause()
      void full.then(() => stdout.resume())
    })
  }

  async function run(ready: WrappedCommand): Promise<ProcessExit> {
    if (ending !== null) return { code: null, signal: 'SIGTERM' }
    const child = spawnWith(ready, env)
    const { stdout } = child
    pid = child.pid
    read(stdout)
    const closed = new Promise<void>((resolve) => stdout.on('close', resolve))
    const { isContained } = ready
    // Without a sandbox a process that its parent has left is found by its mark alone.
    const running = async () => (isContained ? [] : await processesWith(MARK, mark))
    const exit = await exitOf(child, { bounds, clock, running }, (reason) => {
      remarks.push(reason)
      if (!isContained) void killMarked(MARK, mark)
    })
    await Promise.race([closed, clock.sleep(DRAIN_MS)])
    stdout.destroy()
    pass(decoder.decode())
    await file.close()
    return exit
  }

  const exited = wrapped.then(run)
  exited.catch(() => undefined)

  async function finish(): Promise<void> {
    const ready = await wrapped.catch(() => null)
    if (ready === null) return
    await endGroup(pid, mark, clock)
    remarks.push(...(await ready.release()))
  }

  function end(): Promise<void> {
    ending ??= finish()
    return ending
  }

  return {
    onOutput(listener) {
      listeners.add(listener)
      if (early !== '') listener(early)
      early = ''
    },
    exited,
    get outputPath() {
      return file.path
    },
    readOutput: (limit) => readWithin(file.path, limit),
    forgetOutput: () => folder.remove(mark),
    keepOutput: (hash) => folder.keep(mark, hash),
    remarks,
    end,
  }
}

function spawnWith({ argv, cwd, descriptors }: WrappedCommand, env: NodeJS.ProcessEnv) {
  // One pipe for both kinds of output keeps their order.
  return spawn('/bin/sh', ['-c', 'exec "$@" 2>&1', 'sh', ...argv], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', ...descriptors],
  }) as ChildProcess & { stdout: Readable }
}

/** The bounds of a command, and what belongs to it beside its own process and all below that. */
type Watched = { bounds: CommandBounds; clock: Clock; running: () => Promise<number[]> }

/**
 * Its exit, and not the end of its output: a process that it left behind may hold the pipe for ever. One that uses more than the
 * bounds is killed.
 */
async function exitOf(
  child: ChildProcess,
  { bounds, clock, running }: Watched,
  onOver: (reason: string) => void,
): Promise<ProcessExit> {
  const { pid } = child
  using _watch =
    pid === undefined
      ? null
      : watchCommand(
          async () => [pid, ...(await running())],
          bounds,
          clock,
          (reason) => {
            onOver(reason)
            signal(-pid, 'SIGKILL')
          },
        )
  return await new Promise<ProcessExit>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, by) => resolve({ code, signal: by }))
  })
}

/** The bytes of a file; null when there is none, or it has more than `limit`. */
async function readWithin(path: string | null, limit: number): Promise<Uint8Array | null> {
  if (path === null) return null
  const { size } = await stat(path)
  return size > limit ? null : await readFile(path)
}
