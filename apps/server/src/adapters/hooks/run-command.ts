import { spawn } from 'node:child_process'
import { AppError } from '@palimpsest/core/domain'
import { commandEnvironment } from '../bash/command-environment.ts'

/** Bytes of output that are read; a command that says more fails. */
const OUTPUT_BYTES = 64 * 1024
/** Milliseconds in which output is read that a command left in its pipes when it ended. */
const DRAIN_MS = 100

export type CommandResult = { exitCode: number | null; stdout: string; stderr: string }

/**
 * Runs a command of the operator with `input` on its standard input, in a process group and environment of its own. When the
 * signal aborts, the group is killed. Rejects when the command cannot be started, is killed or says too much.
 */
export function runCommand(
  [program = '', ...args]: readonly string[],
  input: string,
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const child = spawn(program, args, { cwd, env: commandEnvironment({}), detached: true, stdio: 'pipe' })
    const output = { stdout: '', stderr: '' }
    let drain: NodeJS.Timeout | undefined

    function kill(reason: unknown) {
      clearTimeout(drain)
      if (child.pid !== undefined) killGroup(child.pid)
      reject(reason)
    }
    function end(exitCode: number | null) {
      clearTimeout(drain)
      signal.removeEventListener('abort', onAbort)
      // What it has started in the background is not left behind.
      if (child.pid !== undefined) killGroup(child.pid)
      resolve({ exitCode, ...output })
    }
    const onAbort = () => kill(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        output[name] += text
        if (output[name].length > OUTPUT_BYTES)
          kill(new AppError('HOOK_DENIED', `It wrote more than ${OUTPUT_BYTES} bytes.`))
      })
    }
    child.once('error', (cause) => reject(new AppError('HOOK_DENIED', 'It could not be started.', { cause })))
    // A child of it may hold the pipes open: `close` would wait for that.
    child.once('exit', (exitCode) => {
      drain = setTimeout(() => end(exitCode), DRAIN_MS)
    })
    child.once('close', (exitCode) => end(exitCode))
    // A command that reads nothing closes its input early.
    child.stdin.on('error', () => undefined).end(input)
  })
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone.
  }
}
