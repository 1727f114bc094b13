import type { ChildProcess } from 'node:child_process'
import type { Clock } from '@palimpsest/core/ports'
import { startGitShell } from './start-git.ts'

/** Reads the number of arguments and the arguments, calls git with them, and writes git's output, a zero byte and the exit code. */
const SCRIPT = `while IFS= read -r count; do
  set --
  while [ "$count" -gt 0 ]; do
    IFS= read -r word
    set -- "$@" "$word"
    count=$((count - 1))
  done
  safe_git "$@" 2>/dev/null
  printf '\\0%s\\n' "$?"
done`

const ANSWER = /^([^\0]*)\0(\d+)\n/

/** Output of git and its exit code; null when it timed out or could not be called. */
export type GitAnswer = { code: number; text: string } | null

export type GitShell = {
  /** Calls git with these arguments, one call after the other, for at most `ms` milliseconds. Never rejects. */
  run(args: readonly string[], ms: number): Promise<GitAnswer>
}

/**
 * Calls git through a shell that is started once: starting a program blocks a process with much memory for ten milliseconds,
 * which is more than everything else between a message and the start of its reply.
 */
export function createGitShell({ clock }: { clock: Clock }): GitShell {
  let helper = startHelper()

  return {
    async run(args, ms) {
      if (args.some((word) => /[\n\0]/.test(word))) return null
      if (helper.ended) helper = startHelper()
      const asked = helper
      using _alarm = clock.after(ms, asked.end)
      return await asked.ask(args)
    },
  }
}

type Helper = { ask(args: readonly string[]): Promise<GitAnswer>; end(): void; readonly ended: boolean }

function startHelper(): Helper {
  // In a process group of its own, so that it and its git can be killed together, and Ctrl-C does not end it before the server.
  const child = startGitShell(SCRIPT, { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting: ((answer: GitAnswer) => void)[] = []
  let ended = false
  let text = ''

  function end() {
    if (ended) return
    ended = true
    endGroup(child)
    for (const answer of waiting.splice(0)) answer(null)
  }

  detach(child)
  child.on('error', end).on('exit', end)
  child.stdin?.on('error', end)
  child.stdout?.setEncoding('utf8').on('data', (more: string) => {
    text += more
    for (let found = ANSWER.exec(text); found !== null; found = ANSWER.exec(text)) {
      const [all, written = '', code] = found
      text = text.slice(all.length)
      waiting.shift()?.({ code: Number(code), text: written })
    }
  })

  return {
    ask(args) {
      return new Promise((resolve) => {
        waiting.push(resolve)
        child.stdin?.write([args.length, ...args, ''].join('\n'))
      })
    },
    end,
    get ended() {
      return ended
    },
  }
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has exited already.
  }
}

/** An idle shell does not keep the process alive; the shell ends with its input. */
function detach(child: ChildProcess): void {
  child.unref()
  for (const stream of [child.stdin, child.stdout]) {
    if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
}
