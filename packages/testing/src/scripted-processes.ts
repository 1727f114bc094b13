import type {
  ProcessCommand,
  ProcessExit,
  Processes,
  RunningProcess,
  Sandbox,
  WorkspaceFacts,
  WorkspaceReach,
} from '@palimpsest/core/ports'

/** Starts commands as they are. */
export const wrapNothing: Sandbox['wrap'] = async (argv, { root }) => ({
  argv,
  cwd: root,
  isContained: false,
  descriptors: [],
  release: () => Promise.resolve([]),
})

/** A started command whose test says what it prints and when it ends. */
export type ScriptedProcess = {
  readonly command: ProcessCommand
  /** How often its end was asked for. */
  readonly ends: number
  /** How often its output was forgotten. */
  readonly forgotten: number
  print(text: string): void
  exit(exit: Partial<ProcessExit>): void
  fail(error: Error): void
}

/** Processes that do nothing by themselves; one that is asked to end exits by `SIGTERM`. */
export function createScriptedProcesses(
  facts: Partial<WorkspaceFacts> = {},
  outputPath: string | null = null,
) {
  const started: ScriptedProcess[] = []
  const inspected: WorkspaceReach[] = []

  function start(command: ProcessCommand): RunningProcess {
    const { promise, resolve, reject } = Promise.withResolvers<ProcessExit>()
    const listeners: ((text: string) => void)[] = []
    let ends = 0
    let forgotten = 0
    const exit = (how: Partial<ProcessExit>) => resolve({ code: null, signal: null, ...how })
    started.push({
      command,
      get ends() {
        return ends
      },
      get forgotten() {
        return forgotten
      },
      print(text) {
        for (const listener of listeners) listener(text)
      },
      exit,
      fail: reject,
    })
    return {
      onOutput: (listener) => void listeners.push(listener),
      exited: promise,
      outputPath,
      readOutput: () => Promise.resolve(null),
      async forgetOutput() {
        forgotten += 1
      },
      keepOutput: () => Promise.resolve(),
      remarks: [],
      async end() {
        ends += 1
        exit({ signal: 'SIGTERM' })
      },
    }
  }

  const processes: Processes = {
    start,
    endOrphans: () => Promise.resolve([]),
    sweepOutputs: () => Promise.resolve(),
    async inspect(_, reach) {
      inspected.push(reach)
      return {
        outside: null,
        matched: [],
        misread: null,
        isOwn: false,
        gitStartsPrograms: false,
        tracked: null,
        linked: null,
        ...facts,
      }
    },
  }
  return { processes, started, inspected }
}
