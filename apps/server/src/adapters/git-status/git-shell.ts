import { type ChildProcess, spawn } from 'node:child_process'
import { resolve as absolute } from 'node:path'
import type { Clock } from '@palimpsest/core/ports'

/** Milliseconds that one look may take. */
const TIMEOUT_MS = 1000

/** Reads a folder, asks git, answers with what git wrote, a zero byte and git's exit code; until nobody asks any more. */
const SCRIPT = `while IFS= read -r folder; do
  git -C "$folder" status --short --branch 2>/dev/null
  printf '\\0%s\\n' "$?"
done`

const ANSWER = /^([^\0]*)\0(\d+)\n/

/** What git wrote and its exit code; null when it took too long or could not be asked. */
export type GitAnswer = { code: number; text: string } | null

export type GitShell = {
  /** One look after the other. Never rejects. */
  status(folder: string): Promise<GitAnswer>
}

/**
 * Asks git by a shell that is started once: to start a program stands a process with much memory still for ten
 * milliseconds, and that is more than all else takes between a message and its reply's first word.
 */
export function createGitShell({ clock }: { clock: Clock }): GitShell {
  let helper = startHelper()

  return {
    async status(folder) {
      if (/[\n\0]/.test(folder)) return null
      if (helper.ended) helper = startHelper()
      const asked = helper
      using _alarm = clock.after(TIMEOUT_MS, asked.end)
      return await asked.ask(absolute(folder))
    },
  }
}

type Helper = { ask(folder: string): Promise<GitAnswer>; end(): void; readonly ended: boolean }

function startHelper(): Helper {
  // In a group of its own, so that it and its git can be ended at once, and Ctrl-C does not end it before the server.
  const child = spawn('/bin/sh', ['-c', SCRIPT], {
    cwd: '/',
    detached: true,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
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

  letGo(child)
  child.on('error', end).on('exit', end)
  child.stdin.on('error', end)
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more
    for (let found = ANSWER.exec(text); found !== null; found = ANSWER.exec(text)) {
      const [all, written = '', code] = found
      text = text.slice(all.length)
      waiting.shift()?.({ code: Number(code), text: written })
    }
  })

  return {
    ask(folder) {
      return new Promise((resolve) => {
        waiting.push(resolve)
        child.stdin.write(`${folder}\n`)
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
    // It has ended already.
  }
}

/** Whoever has nothing else to do may end; the shell ends with its input. */
function letGo(child: ChildProcess): void {
  child.unref()
  for (const stream of [child.stdin, child.stdout]) {
    if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
}
