import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, link, mkdir, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError } from '@palimpsest/core/domain'
import {
  type Area,
  assertInside,
  assertNotLinked,
  hasCode,
  openFolder,
  pathInto,
  pathOf,
  realPathIn,
  refused,
} from './open-inside.ts'
import { readOpened } from './read-file.ts'

/** The mode of a new file, before the umask. */
const NEW_MODE = 0o666

/** Writes through the open folder, so that a link that is swapped in meanwhile changes nothing outside. */
export async function writeInside(
  area: Area,
  path: string,
  bytes: Uint8Array,
  expected: string | null,
): Promise<void> {
  const real = await realPathIn(area, path)
  await using folder = await makeFolder(area, dirname(real), path)
  const into = pathInto(folder, dirname(real))
  assertInside(area, join(await pathOf(folder, dirname(real)), basename(real)), path)
  const target = join(into, basename(real))
  const before = await stateOf(area, target, path)
  if (before.stamp !== expected) throw changed(path)
  const temporary = join(into, `.palimpsest-${randomUUID()}`)
  try {
    await writeNew(temporary, bytes, before)
    // A new file must not replace one that somebody else has made meanwhile.
    if (expected === null) await link(temporary, target)
    else await rename(temporary, target)
  } catch (error) {
    throw hasCode(error, 'EEXIST') ? changed(path) : refused(path, 'cannot be written', error)
  } finally {
    await unlink(temporary).catch(() => undefined)
  }
}

/** The open folder of a real path; folders that are missing are made, each inside the one above it. */
export async function makeFolder(area: Area, real: string, path: string): Promise<FileHandle> {
  const there = await openFolder(area, real, path)
  if (there !== null) return there
  if (real === area.root || real === dirname(real)) throw refused(path, 'is in no folder')
  await using above = await makeFolder(area, dirname(real), path)
  const own = join(pathInto(above, dirname(real)), basename(real))
  await mkdir(own).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw refused(path, 'cannot be written', error)
  })
  const made = await openFolder(area, own, path)
  if (made === null) throw refused(path, 'is in something that is no folder')
  return made
}

type FileState = { stamp: string | null; mode: number | null; owner: { uid: number; gid: number } | null }

async function stateOf(area: Area, target: string, path: string): Promise<FileState> {
  const file = await open(target, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return null
      throw hasCode(error, 'ELOOP') ? changed(path) : refused(path, 'cannot be written', error)
    },
  )
  if (file === null) return { stamp: null, mode: null, owner: null }
  await using opened = file
  const found = await opened.stat()
  await assertNotLinked(area, found, path)
  const bytes = await readOpened(opened, path)
  const { mode, uid, gid } = found
  return { stamp: createHash('sha256').update(bytes).digest('hex'), mode: mode & 0o7777, owner: { uid, gid } }
}

async function writeNew(temporary: string, bytes: Uint8Array, { mode, owner }: FileState): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  await using file = await open(temporary, flags, mode === null ? NEW_MODE : 0o600)
  await file.writeFile(bytes)
  // Only a privileged server may give a file to its owner; then the mode has to follow.
  if (owner !== null) await file.chown(owner.uid, owner.gid).catch(() => undefined)
  if (mode !== null) await file.chmod(mode)
  await file.sync()
}

function changed(path: string): AppError {
  return new AppError(
    'CONFLICT',
    `${path} was changed by somebody else at this moment. Nothing was written: read it again.`,
    {
      field: 'path',
    },
  )
}
