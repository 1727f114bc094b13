import { spawn } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import type { Clock, ProcessCommand, ProcessExit, Processes, RunningProcess } from '@palimpsest/core/ports'
import { commandEnvironment } from './command-environment.ts'
import { endGroup } from './end-group.ts'
import { type Guard, inspectWorkspace } from './inspect-workspace.ts'
import { killMarked, MARK, OWNER } from './marked-processes.ts'
import { createOutputFile } from './output-file.ts'
import { createOutputFolder, type OutputFolder } from './output-folder.ts'

/** Milliseconds in which output that a command left in its pipe is read after its exit. */
const DRAIN_MS = 100

export type ProcessSettings = {
  clock: Clock
  /** The folder for outputs that are longer than a result. */
  outputs: string
  /** Names the store of this server: what an earlier server on it left running is ended by it. */
  owner: string
  guard: Guard
}

/** Commands as processes of this machine. */
export function createProcesses({ clock, outputs, owner, guard }: ProcessSettings): Processes {
  const running = new Set<string>()
  const folder = createOutputFolder(outputs, { clock, isRunning: (mark) => running.has(mark) })
  return {
    start(command) {
      const started = startProcess(command, { clock, folder, owner })
      running.add(command.mark)
      started.exited.catch(() => undefined).finally(() => running.delete(command.mark))
      return started
    },
    endOrphans: () => killMarked(OWNER, owner),
    sweepOutputs: folder.sweep,
    inspect: (root, reach) => inspectWorkspace(root, reach, guard),
  }
}

function startProcess(
  { argv, cwd, variables, mark }: ProcessCommand,
  { clock, folder, owner }: { clock: Clock; folder: OutputFolder; owner: string },
): RunningProcess {
  // One pipe for both kinds of output keeps their order.
  const child = spawn('/bin/sh', ['-c', 'exec "$@" 2>&1', 'sh', ...argv], {
    cwd,
    env: commandEnvironment({ ...variables, [MARK]: mark, [OWNER]: owner }),
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const file = createOutputFile(folder.pathOf(mark))
  const decoder = new TextDecoder()
  const listeners = new Set<(text: string) => void>()
  let early = ''
  let ending: Promise<void> | null = null
  const { pid, stdout } = child

  function pass(text: string): void {
    if (text === '') return
    if (listeners.size === 0) early += text
    else for (const listener of listeners) listener(text)
  }

  stdout.on('data', (bytes: Buffer) => {
    pass(decoder.decode(bytes, { stream: true }))
    const full = file.add(bytes)
    if (file.isFull) void end()
    if (full === null) return
    stdout.pause()
    void full.then(() => stdout.resume())
  })

  /** Its exit, and not the end of its output: a process that it left behind may hold the pipe for ever. */
  const left = new Promise<ProcessExit>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, by) => resolve({ code, signal: by }))
  })
  const closed = new Promise<void>((resolve) => stdout.on('close', resolve))
  const exited = left.then(async (exit) => {
    await Promise.race([closed, clock.sleep(DRAIN_MS)])
    stdout.destroy()
    pass(decoder.decode())
    await file.close()
    return exit
  })
  exited.catch(() => undefined)

  function end(): Promise<void> {
    ending ??= endGroup(pid, mark, clock)
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
    end,
  }
}

/** The bytes of a file; null when there is none, or it has more than `limit`. */
async function readWithin(path: string | null, limit: number): Promise<Uint8Array | null> {
  if (path === null) return null
  const { size } = await stat(path)
  return size > limit ? null : await readFile(path)
}
