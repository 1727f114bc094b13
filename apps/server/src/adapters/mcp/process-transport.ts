import { spawn } from 'node:child_process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { type Clock, MCP_LIMITS } from '@palimpsest/core/ports'
import { commandEnvironment } from '../bash/command-environment.ts'
import { endGroup } from '../bash/end-group.ts'
import { MARK, OWNER } from '../bash/marked-processes.ts'
import { createLineBuffer } from './line-buffer.ts'
import { createMessageValues } from './message-values.ts'
import { createTraffic, FLOOD, TOO_LONG, TOO_MANY_VALUES } from './traffic.ts'

/** Characters of a server's error output that are held for the reason of its end. */
const STDERR = 2_000

/** A program that speaks MCP on its standard input and output. */
export type ServerProgram = {
  command: string
  args: readonly string[]
  /** Variables beside the few that every command gets. */
  variables: Readonly<Record<string, string>>
  cwd: string
  /** Unique: everything that the program starts carries it. */
  mark: string
  /** Names the store of this server. */
  owner: string
}

export type ProcessTransport = Transport & {
  // By these two the client sees that it talks to a process.
  readonly pid: number | null
  readonly stderr: null
  /** Why the connection has ended; null while it has not. */
  readonly reason: string | null
}

/**
 * Starts a program as a process group of its own, without the variables of this server, and ends it with everything that it has
 * started. The transport of the client package ends only the program itself.
 */
export function createProcessTransport(
  { command, args, variables, cwd, mark, owner }: ServerProgram,
  clock: Clock,
  /** Reads one message; throws for what is none. */
  parse: (line: string) => JSONRPCMessage,
): ProcessTransport {
  const lines = createLineBuffer()
  const traffic = createTraffic(() => clock.elapsed())
  let child: ReturnType<typeof startChild> | null = null
  let said = ''
  let reason: string | null = null
  let ending: Promise<void> | null = null

  function startChild() {
    return spawn(command, [...args], {
      cwd,
      env: commandEnvironment({ ...variables, [MARK]: mark, [OWNER]: owner }),
      detached: true,
      stdio: 'pipe',
    })
  }

  /** Ends the connection; the first reason counts. */
  function lose(why: string): void {
    if (reason !== null) return
    const last = said.trim()
    reason = last === '' ? why : `${why} ${last}`
    transport.onclose?.()
    void end()
  }

  function end(): Promise<void> {
    ending ??= endGroup(child?.pid, mark, clock).finally(() => {
      child?.stdout.destroy()
      child?.stderr.destroy()
      child?.stdin.destroy()
    })
    return ending
  }

  function read(bytes: Buffer): void {
    if (reason !== null) return
    const whole = lines.add(bytes)
    if (!traffic.add(bytes.length, whole.length)) lose(FLOOD)
    for (const line of whole) if (reason === null) pass(line)
    if (lines.length > MCP_LIMITS.messageBytes) lose(TOO_LONG)
  }

  /** Passes a message. A line that is none, such as one for a log, is left out. */
  function pass(line: Buffer): void {
    if (line.length > MCP_LIMITS.messageBytes) {
      lose(TOO_LONG)
      return
    }
    if (!createMessageValues().add(line)) {
      lose(TOO_MANY_VALUES)
      return
    }
    try {
      transport.onmessage?.(parse(line.toString('utf8')))
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }

  const transport: ProcessTransport = {
    get pid() {
      return child?.pid ?? null
    },
    stderr: null,
    get reason() {
      return reason
    },
    start() {
      const started = startChild()
      child = started
      const { stdin, stdout, stderr } = started
      stdin.on('error', () => lose('The server closed its input.'))
      stdout.on('data', read).on('error', () => undefined)
      stderr.on('data', (bytes: Buffer) => {
        said = `${said}${bytes.toString('utf8')}`.slice(-STDERR)
      })
      return new Promise((resolve, reject) => {
        started.on('spawn', resolve)
        started.on('error', (error) => {
          lose(`The server could not be started: ${error.message}.`)
          reject(new Error(reason ?? error.message))
        })
        // A process that it left behind may hold its pipes open for ever; its last words come with its exit.
        started.on('exit', (code, by) => {
          setImmediate(() =>
            lose(by === null ? `The server ended with code ${code}.` : `The server was ended by ${by}.`),
          )
        })
      })
    },
    send(message: JSONRPCMessage) {
      const stdin = child?.stdin
      if (stdin === undefined || reason !== null) return Promise.reject(new Error(reason ?? 'Not started.'))
      return new Promise((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
      })
    },
    async close() {
      if (reason === null) {
        reason = 'The connection was closed.'
        transport.onclose?.()
      }
      await end()
    },
  }
  return transport
}
