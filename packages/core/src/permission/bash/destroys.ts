import type { SeenLine } from './parse-line.ts'
import type { SeenCommand } from './seen-command.ts'

/** Folders of the system, and whatever is directly in them. */
const SYSTEM =
  /^\/(?:(?:bin|boot|dev|etc|home|lib\w*|opt|proc|root|run|sbin|srv|sys|usr|var|mnt|media|Users|System|Library|Applications|Volumes)(?:\/[^/]*)?)?$/
const HOME = /^(?:~\w*|\$HOME|\$\{HOME\}|\$PWD|\$\{PWD\}|\$OLDPWD)(?:\/\.\.)*$/
const DEVICE = /^\/dev\/(?!null$|zero$|full$|tty|std(?:in|out|err)$|fd\/|tcp\/|udp\/|shm\/|pts\/)/
const SETTINGS = /^\/etc\/(?:passwd|shadow|group|gshadow|sudoers|fstab|hosts|crontab|ld\.so\.preload)/

const ALWAYS = new Set(
  'shred wipefs blkdiscard mke2fs mkswap fdisk sfdisk cfdisk gdisk sgdisk parted cryptsetup lvremove vgremove pvremove badblocks hdparm shutdown reboot halt poweroff killall5 userdel deluser groupdel delgroup'.split(
    ' ',
  ),
)

/** What the line would destroy, as the reason to deny it; null when it destroys nothing that can be recognised. */
export function whatIsDestroyed(seen: SeenLine, root: string | null): string | null {
  if (seen.multiplies) return 'It starts itself again and again until the machine stops.'
  for (const { path, replaces } of seen.written) {
    if (DEVICE.test(path) || /^\/(?:proc|sys)\//.test(path)) return `It writes to ${path}.`
    if (replaces && SETTINGS.test(path)) return `It replaces ${path}.`
  }
  for (const command of [...seen.commands, ...seen.together]) {
    const reason = ofCommand(command, root)
    if (reason !== null) return reason
  }
  return null
}

function ofCommand({ name, args }: SeenCommand, root: string | null): string | null {
  const lower = name.toLowerCase()
  if (ALWAYS.has(lower) || lower.startsWith('mkfs')) return `\`${name}\` destroys data or stops the machine.`
  const targets = args.filter((arg) => !arg.startsWith('-'))
  switch (lower) {
    case 'rm':
      return ofRemoval(args, targets, root)
    case 'find':
      return ofFind(args, targets, root)
    case 'mv':
      return targets.at(-1) === '/dev/null' || targets.slice(0, -1).some((path) => isVital(path, root))
        ? 'It moves away a folder that everything depends on.'
        : null
    case 'chmod':
    case 'chown':
    case 'chgrp':
      return hasFlag(args, 'R', '--recursive') && targets.some((path) => isVital(path, root))
        ? 'It changes the rights of a whole system or home folder.'
        : null
    case 'dd':
      return args.some((arg) => arg.startsWith('of=') && DEVICE.test(arg.slice(3)))
        ? 'It writes to a device.'
        : null
    case 'tee':
    case 'cp':
    case 'truncate':
      return targets.some((path) => DEVICE.test(path) || SETTINGS.test(path)) &&
        (lower !== 'cp' || isDanger(targets.at(-1)))
        ? 'It replaces a device or a setting of the system.'
        : null
    default:
      return ofMachine(lower, args)
  }
}

function isDanger(path: string | undefined): boolean {
  return path !== undefined && (DEVICE.test(path) || SETTINGS.test(path))
}

function ofRemoval(args: readonly string[], targets: readonly string[], root: string | null): string | null {
  if (args.includes('--no-preserve-root')) return 'It removes the root of the disk.'
  if (!hasFlag(args, 'rR', '--recursive')) return null
  const target = targets.find((path) => isVital(path, root) || isWhole(path, root))
  return target === undefined ? null : `It removes ${target} with everything in it.`
}

function ofFind(args: readonly string[], targets: readonly string[], root: string | null): string | null {
  const removes =
    args.includes('-delete') ||
    args.some((arg, at) => /^-(exec|ok)/.test(arg) && /(^|\/)(rm|shred|unlink)$/.test(args[at + 1] ?? ''))
  if (!removes) return null
  const first = args.findIndex((arg) => /^[-(!]/.test(arg))
  const places = targets.slice(0, first === -1 ? targets.length : first)
  if (places.some((path) => isVital(path, root))) return 'It removes files of the system or of a home folder.'
  const filters = args.some((arg) => /^-(i?name|i?path|i?regex|newer|mtime|mmin|size|empty)/.test(arg))
  const isAll = places.length === 0 || places.some((path) => isWhole(path, root))
  return isAll && !filters ? 'It removes all files of the workspace.' : null
}

function ofMachine(name: string, args: readonly string[]): string | null {
  const says = (...words: string[]) => args.some((arg) => words.includes(arg))
  const stops =
    ((name === 'init' || name === 'telinit') && says('0', '6')) ||
    ((name === 'systemctl' || name === 'loginctl') &&
      says('poweroff', 'reboot', 'halt', 'kexec', 'suspend', 'hibernate')) ||
    (name === 'kill' && args.slice(1).some((arg) => arg === '-1' || arg === '1')) ||
    (name === 'kill' && args.length === 1 && args[0] === '1') ||
    (name === 'crontab' && says('-r')) ||
    (name === 'zpool' && says('destroy')) ||
    (name === 'zfs' && says('destroy')) ||
    (name === 'diskutil' && args.some((arg) => /^erase|^partition/i.test(arg)))
  return stops ? `\`${name} ${args.join(' ')}\` destroys data or stops the machine.` : null
}

/** The disk, a folder of the system, a home folder, or one that holds the workspace. */
function isVital(path: string, root: string | null): boolean {
  const folder = folderOf(path)
  if (SYSTEM.test(folder) || HOME.test(folder)) return true
  return root !== null && folder !== root && root.startsWith(`${folder}/`)
}

/** The workspace itself, what is above it, or its repository. */
function isWhole(path: string, root: string | null): boolean {
  const folder = folderOf(path)
  return (
    /^(?:\.|\*|\.\*|\*\*|(?:\.\.\/)*\.\.)$/.test(folder) || /^(?:.*\/)?\.git$/.test(folder) || folder === root
  )
}

/** A path without what names all of a folder: `/x/`, `/x/.`, `/x/*` and `/x/{*,.*}` are `/x`. */
function folderOf(path: string): string {
  const cut = path
    .replace(/(?:\/+(?:\.|\*+|\.\*|\.\[!\.\]\*|\{[^/]*\*[^/]*\})?)+$/, '')
    .replace(/^(?:\.\/)+(?=.)/, '')
  const root = path.startsWith('/') ? '/' : ''
  return `${root}${stepsOf(cut).join('/')}` || '.'
}

/** The steps of a path without those that lead back. */
function stepsOf(path: string): string[] {
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '' || step === '.') continue
    const last = steps.at(-1)
    if (step !== '..') steps.push(step)
    else if (last !== undefined && !/^(?:\.\.$|[~$])/.test(last)) steps.pop()
    else if (!path.startsWith('/')) steps.push(step)
  }
  return steps
}

/** Whether one of these letters is among the short options, or the long option, or a beginning of it, is given. */
function hasFlag(args: readonly string[], letters: string, long: string): boolean {
  return args.some((arg) =>
    arg.startsWith('--')
      ? arg.length > 3 && long.startsWith(arg)
      : arg.startsWith('-') && [...letters].some((letter) => arg.includes(letter)),
  )
}
