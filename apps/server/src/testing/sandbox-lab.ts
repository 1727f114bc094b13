import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemClock } from '@palimpsest/core'
import type { CommandAccess, Sandbox } from '@palimpsest/core/ports'
import type { SandboxPlaces } from '../adapters/bash/box-arguments.ts'
import { createBwrapSandbox } from '../adapters/bash/bwrap-sandbox.ts'
import { COMMAND_BOUNDS, type CommandBounds } from '../adapters/bash/command-bounds.ts'
import { createProcesses } from '../adapters/bash/processes.ts'
import { createWritingCommands } from '../adapters/bash/writing-commands.ts'
import { NO_GUARD } from './nothing-protected.ts'

export type SandboxLabSettings = {
  /** Files beside those that there are anyway, by their path in the lab. */
  files?: Readonly<Record<string, string>>
  /** The folder of the lab; not in `/tmp`, which is empty in the sandbox, unless that is the question. */
  base?: string
  /** The workspace, by its path in the lab. */
  workspace?: string
  bounds?: Partial<CommandBounds>
  /** Changes the places of the server; `path` is the lab's folder. */
  places?: (path: string) => Partial<SandboxPlaces>
}

/** A workspace with a repository beside a home folder with a key and the data of a server, and commands in the sandbox. */
export async function openSandboxLab({
  files,
  base = '/var/tmp',
  workspace = 'work',
  bounds,
  places,
}: SandboxLabSettings = {}) {
  const path = await mkdtemp(join(base, 'palimpsest-'))
  const root = join(path, workspace)
  const data = join(path, 'work/data')
  const outputs = join(data, 'outputs')
  await Promise.all([root, outputs].map((at) => mkdir(at, { recursive: true })))
  for (const [file, text] of Object.entries({
    'home/.ssh/id_rsa': 'secret',
    'home/notes': 'harmless',
    'work/data/palimpsest.db': 'secret',
    'work/data/outputs/call.txt': 'output',
    'work/a.txt': 'a',
    other: 'other',
    ...files,
  })) {
    await mkdir(dirname(join(path, file)), { recursive: true })
    await writeFile(join(path, file), text)
  }
  spawnSync('git', ['init', '-q', join(path, 'work')])
  const all = { ...COMMAND_BOUNDS, ...bounds }
  const running = join(path, 'running')
  const writing = createWritingCommands(running)
  const sandbox = createBwrapSandbox(
    { home: join(path, 'home'), hidden: [data], readable: [outputs], settings: [], ...places?.(path) },
    writing,
    all,
  )
  const info = await sandbox.probe()
  const processes = createProcesses({
    clock: systemClock,
    outputs,
    owner: path,
    guard: NO_GUARD,
    writing,
    bounds: all,
  })
  let mark = 0

  function start(line: string, access: CommandAccess = 'write', at = root, within: Sandbox = sandbox) {
    mark += 1
    const argv = ['/bin/bash', '--noprofile', '--norc', '-c', line]
    const wrap = () => within.wrap(argv, { root: at, access })
    const running = processes.start({ wrap, variables: {}, mark: `${path}-${mark}` })
    return { running, mark: `${path}-${mark}` }
  }

  return {
    path,
    root,
    info,
    sandbox,
    writing,
    running,
    start,
    /** Runs a line to its end, and ends what it left. */
    async run(line: string, access?: CommandAccess, at?: string) {
      let text = ''
      const { running } = start(line, access, at)
      running.onOutput((piece) => {
        text += piece
      })
      const { code, signal } = await running.exited
      await running.end()
      return { text, code, signal, remarks: running.remarks }
    },
    async [Symbol.asyncDispose]() {
      await processes.endOrphans()
      await rm(path, { recursive: true })
    },
  }
}
