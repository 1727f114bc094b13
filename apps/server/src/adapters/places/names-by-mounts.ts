import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { isInside } from '../workspaces.ts'

type Mount = { device: string; root: string; at: string }

/** These real paths, with every other name that a second mount of the same folder gives them. Only Linux lists its mounts. */
export async function namesByMounts(paths: readonly string[]): Promise<string[]> {
  const listed =
    process.platform === 'linux' ? await readFile('/proc/self/mountinfo', 'utf8').catch(() => '') : ''
  const mounts = parseMounts(listed)
  return [...new Set(paths.flatMap((path) => [path, ...otherNames(path, mounts)]))]
}

/** The text of `mountinfo`: a number, one of the parent, the device, the folder of that which is mounted, and where. */
export function parseMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [, , device, root, at] = line.split(' ')
    return device === undefined || root === undefined || at === undefined
      ? []
      : [{ device, root: unescaped(root), at: unescaped(at) }]
  })
}

/** Where mounts show a path beside its own name. */
export function otherNames(path: string, mounts: readonly Mount[]): string[] {
  // Of several on one folder the last is what is seen.
  const own = mounts
    .filter(({ at }) => isInside(at, path))
    .reduce<Mount | null>(
      (best, mount) => (best === null || mount.at.length >= best.at.length ? mount : best),
      null,
    )
  if (own === null) return []
  const onDevice = join(own.root, relative(own.at, path))
  return mounts.flatMap(({ device, root, at }) => {
    if (device !== own.device) return []
    if (isInside(root, onDevice)) return join(at, relative(root, onDevice))
    // A part of it is mounted elsewhere.
    return isInside(onDevice, root) ? at : []
  })
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  )
}
