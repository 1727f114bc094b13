import type { Requirement } from '../../domain/permission/permission.ts'
import {
  isBareRepository,
  PROTECTED_NAMES,
  protectedPart,
  REPOSITORY_NAMES,
} from '../../domain/workspace/protected-names.ts'
import type { ToolPlace } from '../tool.ts'
import { inFiles, rootOf } from './workspace-path.ts'

/**
 * The permission to change a file, wherever links lead. Of what other programs act on by themselves a person is asked each time,
 * with the reason.
 */
export async function requireChange(path: string, place: ToolPlace): Promise<Requirement[]> {
  const pattern = await inFiles(place.files.locate(rootOf(place), path))
  const reason = await whyAlwaysAsked(path, pattern, place)
  return [{ permission: 'edit', pattern, ...(reason !== null && { reason, always: true }) }]
}

/** Null for a file that other programs only read when a person has them do so. */
async function whyAlwaysAsked(path: string, real: string, place: ToolPlace): Promise<string | null> {
  const root = rootOf(place)
  const named = path.startsWith(`${root}/`) ? path.slice(root.length) : path
  const part = protectedPart(real) ?? protectedPart(named)
  if (part !== null) return `Other programs act on \`${part}\` by themselves. ${EACH}`
  const link = await linkTo(real, root, place)
  if (link !== null) return `Other programs act on \`${link}\` by themselves, which leads here. ${EACH}`
  const bare = await repositoryAround(real, root, place)
  return bare === null
    ? null
    : `Git takes \`${bare}\` for a repository, and starts what its files name. ${EACH}`
}

const EACH = 'A person is asked about each change.'

/** The protected name in the root that is a link to the file or to a folder above it. */
async function linkTo(real: string, root: string, { files }: ToolPlace): Promise<string | null> {
  const links = await Promise.all(
    PROTECTED_NAMES.map(async (name) => {
      if (!(await files.exists(root, name))) return null
      // One that leads nowhere, or out of the workspace, leads to no file of it.
      const target = await files.locate(root, name).catch(() => '.')
      return target !== '.' && `${real}/`.startsWith(`${target}/`) ? name : null
    }),
  )
  return links.find((name) => name !== null) ?? null
}

/** The folder above the file that git takes for a repository once the file is there. */
async function repositoryAround(real: string, root: string, { files }: ToolPlace): Promise<string | null> {
  const names = real.split('/')
  for (let depth = names.length - 1; depth >= 0; depth -= 1) {
    const folder = names.slice(0, depth)
    const has = async (name: string) =>
      name === names[depth] || (await files.exists(root, [...folder, name].join('/')))
    const [head, ...others] = REPOSITORY_NAMES
    // Hardly a folder has it: one look at each is enough.
    if (!(await has(head))) continue
    const there = await Promise.all(others.map(has))
    if (isBareRepository(new Set([head, ...others.filter((_, at) => there[at])])))
      return folder.join('/') || '.'
  }
  return null
}
