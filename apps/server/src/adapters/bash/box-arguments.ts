import { existsSync } from 'node:fs'
import type { CommandPlace } from '@palimpsest/core/ports'
import { isInside } from '../workspaces.ts'
import type { CommandBounds } from './command-bounds.ts'
import { commandEnvironment } from './command-environment.ts'
import type { Mount } from './protected-places.ts'
import { type Covered, realPathOf } from './secret-places.ts'
import { systemRoot } from './system-folders.ts'

export type SandboxPlaces = {
  home: string
  /** Folders and files of the server that no command reads. */
  hidden: readonly string[]
  /** Folders among the hidden ones that commands may read. */
  readable: readonly string[]
  /** Files that the server reads when it starts: where one is absent or a link, a command must not make it. */
  settings: readonly string[]
}

/** What the bubblewrap of this machine can do. */
export type BoxAbilities = { proc: boolean; disableUsers: boolean }

/** Namespaces of its own, no capability, and an end with the server. */
const ISOLATION = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-net',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--cap-drop',
  'ALL',
  '--die-with-parent',
  '--new-session',
]

/** Bytes of an empty folder that is mounted over another. */
const EMPTY_BYTES = 4096 * 4

/** In the place of the number of a descriptor of an empty file. */
const EMPTY = 'empty'

type CoverFile = (path: string) => string[]

/** An empty file, which git compares as it does any other. */
const EMPTY_FILE: CoverFile = (path) => ['--ro-bind-data', EMPTY, path]

/** A device that cannot be opened: `git commit -a` would store an empty file in the place of what is covered, and fails. */
const NO_FILE: CoverFile = (path) => ['--ro-bind', '/dev/null', path]

export type Box = {
  places: SandboxPlaces
  bounds: CommandBounds
  abilities: BoxAbilities
  /** Null: a box without a workspace, as it is tried at the start. */
  place: CommandPlace | null
  /** What is mounted beside the workspace: their descriptors are 4, 5, … */
  mounts: readonly Mount[]
  covered: readonly Covered[]
  /** Sockets on which programs of this machine listen. */
  sockets: readonly string[]
}

/**
 * The arguments of bubblewrap, and how many descriptors of an empty file they take. The descriptor of the workspace is 3; those of its
 * protected places follow, and then those of the empty file, which are read once each.
 */
export function boxArguments(given: Box): { options: string[]; empty: number } {
  const { abilities, place } = given
  const box = { ...given, covered: outermost(given.covered, place?.root ?? null) }
  const parts = place?.access === 'read' ? readingDisk(box) : writingDisk(box)
  let next = 4 + given.mounts.length
  return {
    options: [
      ...ISOLATION,
      ...(abilities.disableUsers ? ['--disable-userns'] : []),
      ...parts.map((part) => (part === EMPTY ? `${next++}` : part)),
      ...(place === null ? [] : ['--chdir', place.root]),
    ],
    empty: parts.filter((part) => part === EMPTY).length,
  }
}

/** The programs of the system and the workspace, all of it read-only; `/tmp` is for what programs store meanwhile. */
function readingDisk(box: Box): string[] {
  const { covered } = box
  const { PATH = '' } = commandEnvironment({})
  const isCovered = (folder: string) =>
    covered.some(({ path }) => isInside(path, folder) || isInside(folder, path))
  const root = box.place?.root ?? ''
  const shown = [root, ...box.mounts.map(({ path }) => path)]
  const seen = covered.filter(({ path }) => path !== root && shown.some((folder) => isInside(folder, path)))
  const above = seen.filter(({ path }) => isInside(path, root))
  const inside = seen.filter((one) => !above.includes(one))
  const mounted = box.mounts.map((mount, at) => ({
    isAbove: isInside(mount.path, root),
    options: mountOptions(mount, at),
  }))
  return [
    ...systemRoot(PATH, isCovered),
    ...withDevices(box, [
      ...mounted.filter(({ isAbove }) => isAbove).flatMap(({ options }) => options),
      ...above.flatMap((one) => cover(one, EMPTY_FILE)),
      ...['--ro-bind-fd', '3', root],
      ...mounted.filter(({ isAbove }) => !isAbove).flatMap(({ options }) => options),
    ]),
    ...inside.flatMap((one) => cover(one, EMPTY_FILE)),
    ...box.sockets
      .filter((path) => isInside(root, path) && isVisible(path, root, covered))
      .flatMap(EMPTY_FILE),
    ...seen.flatMap(seal),
    ...['--remount-ro', '/'],
  ]
}

/** The whole disk read-only but for the workspace, without secrets and sockets. What holds the workspace is covered before it is mounted. */
function writingDisk(box: Box): string[] {
  const { place, places, covered } = box
  const root = place?.root ?? null
  const isAbove = ({ path }: Covered) => root !== null && path !== root && isInside(path, root)
  const above = covered.filter(isAbove)
  const others = covered.filter((one) => one.path !== root && !isAbove(one))
  const readable = places.readable.flatMap((path) => realPathOf(path) ?? [])
  return [
    ...['--ro-bind', '/', '/'],
    ...withDevices(
      box,
      root === null ? [] : [...above.flatMap((one) => cover(one, NO_FILE)), '--bind-fd', '3', root],
    ),
    ...box.mounts.flatMap(mountOptions),
    ...others.flatMap((one) => cover(one, NO_FILE)),
    ...readable.flatMap((path) => ['--ro-bind', path, path]),
    ...box.sockets.filter((path) => isVisible(path, root, covered)).flatMap(NO_FILE),
    ...[...above, ...others].flatMap(seal),
  ]
}

function mountOptions({ path, isReadOnly }: Mount, at: number): string[] {
  return [isReadOnly ? '--ro-bind-fd' : '--bind-fd', `${at + 4}`, path]
}

/** Devices, processes and empty folders before the workspace, which may be in one of them, or after one that holds them. */
function withDevices(box: Box, workspace: readonly string[]): string[] {
  const holdsThem = box.place !== null && isInside(box.place.root, '/tmp')
  return holdsThem ? [...workspace, ...devices(box)] : [...devices(box), ...workspace]
}

/** Whether a path is in none of the folders that are empty in the box, where a mount would make it. */
function isVisible(path: string, root: string | null, covered: readonly Covered[]): boolean {
  const isIn = (folder: string) => isInside(folder, path)
  if (covered.some((one) => isIn(one.path) && one.path !== root && !isBetween(one.path, root, path)))
    return false
  return (root !== null && isIn(root)) || !['/tmp', '/run', '/dev', '/proc'].some(isIn)
}

/**
 * Without what lies in a covered folder: that is empty, so there is nothing to mount over. In a workspace that is mounted again
 * inside of one there is.
 */
function outermost(covered: readonly Covered[], root: string | null): Covered[] {
  const holds = (outer: Covered, { path }: Covered) =>
    outer.isFolder && outer.path !== path && isInside(outer.path, path) && !isBetween(outer.path, root, path)
  return covered.filter((one) => !covered.some((other) => holds(other, one)))
}

/** Whether the workspace, mounted again in a covered folder, holds the path. */
function isBetween(folder: string, root: string | null, path: string): boolean {
  return root !== null && isInside(folder, root) && isInside(root, path)
}

function devices({ abilities, bounds: { tmpBytes } }: Box): string[] {
  return [
    ...[
      '--dev',
      '/dev',
      '--size',
      `${tmpBytes}`,
      '--perms',
      '1777',
      '--tmpfs',
      '/dev/shm',
      '--remount-ro',
      '/dev',
    ],
    ...(abilities.proc ? ['--proc', '/proc', ...readOnlyKernel()] : []),
    ...['--size', `${tmpBytes}`, '--perms', '1777', '--tmpfs', '/tmp'],
    ...['--size', `${EMPTY_BYTES}`, '--tmpfs', '/run'],
  ]
}

/** What the owner of its files may write: the user of the box, where the server is root. Bubblewrap covers it for others only. */
const KERNEL = [
  'sys',
  'irq',
  'bus',
  'fs',
  'scsi',
  'acpi',
  'driver',
  'tty',
  'sysrq-trigger',
  'mtrr',
  'dynamic_debug',
]

function readOnlyKernel(): string[] {
  const paths = KERNEL.map((name) => `/proc/${name}`).filter(existsSync)
  return paths.flatMap((path) => ['--ro-bind', path, path])
}

function cover({ path, isFolder }: Covered, coverFile: CoverFile): string[] {
  return isFolder ? ['--size', `${EMPTY_BYTES}`, '--tmpfs', path] : coverFile(path)
}

/** Nothing is written into an empty folder over another, once all mounts in it are made. */
function seal({ path, isFolder }: Covered): string[] {
  return isFolder ? ['--remount-ro', path] : []
}
