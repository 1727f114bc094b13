import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Clock } from '@palimpsest/core/ports'
import { startGitShell } from './start-git.ts'

/**
 * Reads the number of words and the words: variables, `--`, and git's arguments. Calls git with them, and writes git's output and a
 * line with a zero byte, the mark and the exit code.
 */
const SCRIPT = `while IFS= read -r count; do
  set --
  while [ "$count" -gt 0 ]; do
    IFS= read -r word
    set -- "$@" "$word"
    count=$((count - 1))
  done
  (
    while [ "$1" != -- ]; do
      export "$1"
      shift
    done
    shift
    safe_git "$@"
  ) 2>/dev/null
  printf '\\0%s %s\\n' "$MARK" "$?"
done`

/** Output of git and its exit code; null when it timed out or could not be called. */
export type GitAnswer = { code: number; text: string } | null

export type GitShell = {
  /**
   * Calls git with these arguments, and these variables beside its own, one call after the other, for at most `ms` milliseconds.
   * Null also for words that a line cannot hold. Never rejects.
   */
  run(args: readonly string[], ms: number, variables?: Record<string, string>): Promise<GitAnswer>
  /** True during a call. */
  readonly busy: boolean
}

/**
 * Calls git through a shell that is started once: starting a program blocks a process with much memory for ten milliseconds,
 * which is more than everything else between a message and the start of its reply.
 */
export function createGitShell({ clock }: { clock: Clock }): GitShell {
  let helper: Helper | null = null

  return {
    async run(args, ms, variables = {}) {
      const assigned = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
      const words = [...assigned, '--', ...args]
      if (words.some((word) => !fitsLine(word))) return null
      if (helper === null || helper.ended) helper = startHelper()
      using _alarm = clock.after(ms, helper.end)
      return await helper.ask(words)
    },
    get busy() {
      return helper?.busy ?? false
    },
  }
}

/** Whether a word can be handed to the shell. */
export function fitsLine(word: string): boolean {
  return !/[\n\0]/.test(word)
}

type Helper = {
  ask(words: readonly string[]): Promise<GitAnswer>
  end(): void
  readonly ended: boolean
  readonly busy: boolean
}

function startHelper(): Helper {
  // A name of a file can hold anything but this.
  const mark = randomUUID()
  // In a process group of its own, so that it and its git can be killed together, and Ctrl-C does not end it before the server.
  const child = startGitShell(`MARK=${mark}\n${SCRIPT}`, {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
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
    // The mark may come in two pieces.
    let from = Math.max(0, text.length - mark.length - 2)
    text += more
    for (;;) {
      const marked = text.indexOf(`\0${mark} `, from)
      const line = marked === -1 ? -1 : text.indexOf('\n', marked)
      if (line === -1) return
      const code = Number(text.slice(marked + mark.length + 2, line))
      waiting.shift()?.({ code, text: text.slice(0, marked) })
      text = text.slice(line + 1)
      from = 0
    }
  })

  return {
    ask(words) {
      return new Promise((resolve) => {
        waiting.push(resolve)
        child.stdin?.write([words.length, ...words, ''].join('\n'))
      })
    },
    end,
    get ended() {
      return ended
    },
    get busy() {
      return waiting.length > 0
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
