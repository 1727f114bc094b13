import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { CommandPlace, Sandbox, SandboxInfo, WrappedCommand } from '@palimpsest/core/ports'
import { isInside } from '../workspaces.ts'
import { type BoxAbilities, boxArguments, type SandboxPlaces } from './box-arguments.ts'
import { COMMAND_BOUNDS, type CommandBounds, withBounds } from './command-bounds.ts'
import { commandEnvironment } from './command-environment.ts'
import { openFolder, whereIs } from './open-folder.ts'
import {
  closeMounts,
  openProtection,
  openRepositoryOf,
  type Protection,
  type WritingCommand,
} from './protected-places.ts'
import { coveredPlaces, listeningSockets } from './secret-places.ts'
import { setAside } from './set-aside.ts'
import type { RecordedCommand, WritingCommands } from './writing-commands.ts'

/** Milliseconds of one probe. */
const PROBE_MS = 5_000

/** What is tried, the best first. A container may forbid a `/proc` of its own, an old kernel to count namespaces. */
const RUNGS: readonly BoxAbilities[] = [
  { proc: true, disableUsers: true },
  { proc: true, disableUsers: false },
  { proc: false, disableUsers: true },
  { proc: false, disableUsers: false },
]

/**
 * Bubblewrap: commands read and write what their access allows, there is no network, and neither the server's processes nor its data
 * and keys can be read. Without it commands run as they are, within the bounds that the kernel checks.
 */
export function createBwrapSandbox(
  places: SandboxPlaces,
  writing: WritingCommands,
  bounds: CommandBounds = COMMAND_BOUNDS,
): Sandbox {
  let info: SandboxInfo = { kind: 'none', reason: 'No sandbox has been looked for.' }
  let abilities: BoxAbilities = { proc: true, disableUsers: true }

  /** What has to be covered, as it is on the disk now. */
  function coveredNow() {
    return { covered: coveredPlaces(places.home, places.hidden), sockets: listeningSockets() }
  }

  async function tryRung(rung: BoxAbilities): Promise<string | null> {
    const box = { places, bounds, abilities: rung, place: null, mounts: [], ...coveredNow() }
    // Folders have to be taken as descriptors, which bubblewrap does since 0.10, and where that was added to an older one.
    const folder = openFolder('/')
    const opened = ['--ro-bind-fd', '3', '/tmp']
    try {
      return await failureOf(
        [...boxArguments(box).options, ...opened, '--', '/bin/sh', '-c', PROBE, 'sh', `${process.pid}`],
        folder,
      )
    } finally {
      closeSync(folder)
    }
  }

  return {
    get info() {
      return info
    },
    async probe() {
      let reason: string | null = 'It works on Linux only.'
      for (const rung of process.platform === 'linux' ? RUNGS : []) {
        abilities = rung
        reason = await tryRung(rung)
        if (reason === null) break
      }
      info = reason === null ? { kind: 'bwrap' } : { kind: 'none', reason }
      return info
    },
    async wrap(argv, place) {
      const folder = openFolder(place.root)
      try {
        return info.kind === 'none' ? bare(argv, place, folder) : await boxed(argv, place, folder)
      } catch (error) {
        closeSync(folder)
        throw error
      }
    },
  }

  function bare(argv: readonly string[], { root }: CommandPlace, folder: number): WrappedCommand {
    return {
      argv: withBounds(argv, bounds, false),
      // The opened folder, whatever its path leads to when the command starts.
      cwd: process.platform === 'linux' ? '/proc/self/fd/3' : root,
      isContained: false,
      descriptors: [folder],
      async release() {
        closeSync(folder)
        return []
      },
    }
  }

  async function boxed(
    argv: readonly string[],
    place: CommandPlace,
    folder: number,
  ): Promise<WrappedCommand> {
    const { root, access } = place
    const found = coveredNow()
    const inside = found.covered
      .map(({ path }) => path)
      .filter((path) => path !== root && isInside(root, path))
    const protection =
      access === 'write'
        ? await openProtection(root, { covered: inside, settings: places.settings }, writing.running)
        : null
    const mounts = protection?.mounts ?? (await openRepositoryOf(root, places.home))
    const { options, empty } = boxArguments({ places, bounds, abilities, place, mounts, ...found })
    const nothing = empty === 0 ? [] : [openSync('/dev/null', 'r')]
    let isOpen = true
    // Another command may move the folder meanwhile.
    const rootNow = () => (isOpen ? whereIs(folder) : null) ?? root
    const recorded = protection === null ? null : await record(rootNow, protection)
    return {
      argv: ['bwrap', ...options, '--', ...withBounds(argv, bounds, true)],
      cwd: '/',
      isContained: true,
      descriptors: [
        folder,
        ...mounts.map(({ descriptor }) => descriptor),
        ...nothing.flatMap((one) => Array<number>(empty).fill(one)),
      ],
      async release() {
        try {
          // Where it is now: its path may lead elsewhere.
          const now = whereIs(folder)
          const remarks = protection === null || now === null ? [] : await setAside(now, protection.before)
          await recorded?.forget()
          return remarks
        } finally {
          recorded?.drop()
          isOpen = false
          closeMounts(mounts)
          for (const descriptor of [folder, ...nothing]) closeSync(descriptor)
        }
      },
    }
  }

  async function record(rootNow: () => string, { mounts, before }: Protection): Promise<RecordedCommand> {
    const command: WritingCommand = {
      get root() {
        return rootNow()
      },
      before,
    }
    try {
      return await writing.add(command)
    } catch (error) {
      closeMounts(mounts)
      throw error
    }
  }
}

/** Fails when the server's environment can be read inside. */
const PROBE = '! cat "/proc/$1/environ" >/dev/null 2>&1'

/** Why bwrap does not work with these arguments; null when it does. */
function failureOf(args: readonly string[], descriptor: number): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn('bwrap', args, {
      stdio: ['ignore', 'ignore', 'pipe', descriptor],
      env: commandEnvironment({}),
    })
    const { stderr } = child
    let said = ''
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, 300)
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), PROBE_MS)
    const settle = (reason: string | null) => {
      clearTimeout(timer)
      resolve(reason)
    }
    child.on('error', () => settle('bubblewrap (bwrap) is not installed.'))
    child.on('exit', (code) =>
      settle(code === 0 ? null : `bubblewrap does not work here: ${said.trim() || code}`),
    )
  })
}
