import { createId } from '../../domain/ids.ts'
import type {
  Clock,
  CommandAccess,
  Logger,
  ProcessExit,
  Processes,
  RunningProcess,
  Sandbox,
} from '../../ports/index.ts'
import type { BackgroundCommand, Shell, ShellCommand } from '../shell.ts'
import { type BoundedOutput, createBoundedOutput } from './bounded-output.ts'
import { readingVariables } from './reading-variables.ts'

/** Commands that one session may have in the background, and that one host may run, at once. */
const MAX_BACKGROUND = 8
const MAX_COMMANDS = 200
/** Commands in the background that are listed after their end. */
const MAX_ENDED = 20
/** Characters of a background command's output that are held. */
const HELD = { head: 0, tail: 200_000 }

type Kept = { info: BackgroundCommand; running: RunningProcess; output: BoundedOutput }

/** Bash, without the settings of the person who runs the server. */
const BASH = ['/bin/bash', '--noprofile', '--norc', '-c']

/** Variables by what a command may do. Messages in English: by them a line is found to have tried to write. */
const VARIABLES: Record<CommandAccess, Readonly<Record<string, string>>> = {
  read: { LC_MESSAGES: 'C' },
  write: {},
}

export function createShell({
  sandbox,
  processes,
  clock,
  logger,
}: {
  sandbox: Sandbox
  processes: Processes
  clock: Clock
  logger: Logger
}): Shell {
  const live = new Set<RunningProcess>()
  const kept = new Map<string, Kept>()
  let ended = false

  function start({ line, root, access }: ShellCommand): RunningProcess | null {
    if (ended || live.size >= MAX_COMMANDS) return null
    const running = processes.start({
      wrap: () => sandbox.wrap([...BASH, line], { root, access }),
      variables: { ...VARIABLES[access], ...(access === 'read' && readingVariables(line)) },
      mark: createId('prc'),
    })
    live.add(running)
    running.exited
      .catch(() => undefined)
      .then(() => running.end())
      .catch((error: unknown) => logger.warn({ error }, 'A command could not be ended'))
      .finally(() => live.delete(running))
    return running
  }

  function keptOf(sessionId: string | null): Kept[] {
    return [...kept.values()].filter(({ info }) => sessionId === null || info.sessionId === sessionId)
  }

  function find(sessionId: string, id: string): Kept | null {
    const found = kept.get(id)
    return found?.info.sessionId === sessionId ? found : null
  }

  function dropEnded(sessionId: string): void {
    const over = keptOf(sessionId).filter(({ info }) => info.exit !== null)
    for (const { info } of over.slice(0, Math.max(0, over.length - MAX_ENDED))) kept.delete(info.id)
  }

  return {
    get sandbox() {
      return sandbox.info
    },
    inspect: processes.inspect,
    start,

    startInBackground(command) {
      const { sessionId, line } = command
      if (keptOf(sessionId).filter(({ info }) => info.exit === null).length >= MAX_BACKGROUND) return null
      const running = start(command)
      if (running === null) return null
      const output = createBoundedOutput(HELD)
      running.onOutput(output.add)
      const info: BackgroundCommand = {
        id: createId('prc'),
        sessionId,
        command: line,
        startedAt: clock.now(),
        exit: null,
      }
      kept.set(info.id, { info, running, output })
      void running.exited
        .catch((): ProcessExit => ({ code: null, signal: null }))
        .then(async (exit) => {
          info.exit = exit
          dropEnded(sessionId)
          // What is held of it is in memory.
          await running.forgetOutput()
          await running.end()
          for (const remark of running.remarks) output.add(`\n[${remark}]\n`)
        })
        .catch((error: unknown) => logger.warn({ error }, 'The output of a command could not be removed'))
      return info
    },

    list: (sessionId) =>
      keptOf(sessionId)
        .map(({ info }) => ({ ...info }))
        .reverse(),

    read(sessionId, id, from) {
      const found = find(sessionId, id)
      if (found === null) return null
      const { tail, length } = found.output
      const start = Math.max(from, length - tail.length)
      return {
        command: { ...found.info },
        text: tail.slice(tail.length - (length - start)),
        from: start,
        length,
      }
    },

    async ended(sessionId, id) {
      const running = find(sessionId, id)?.running
      await running?.exited.catch(() => undefined)
      await running?.end()
    },

    async stop(sessionId, id) {
      const found = find(sessionId, id)
      if (found === null || found.info.exit !== null) return false
      await found.running.end()
      await found.running.exited.catch(() => undefined)
      return true
    },

    async endSession(sessionId) {
      const all = keptOf(sessionId)
      for (const { info } of all) kept.delete(info.id)
      await Promise.all(all.map(({ running }) => running.end()))
    },

    async end() {
      ended = true
      await Promise.all([...live].map((running) => running.end()))
    },
  }
}
