import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflate, inflate } from 'node:zlib'

const pack = promisify(deflate)
const unpack = promisify(inflate)

/** Contents as loose objects of a git repository, written and read without git, so that captures share them. */
export type Contents = {
  keep(bytes: Uint8Array): Promise<string>
  /** Null when it is not there as a loose object. */
  read(id: string): Promise<Uint8Array | null>
}

/** `folder`: the repository's folder, which need not exist yet. */
export function createContents(folder: string): Contents {
  const fileOf = (id: string) => join(folder, 'objects', id.slice(0, 2), id.slice(2))
  return {
    async keep(bytes) {
      const head = Buffer.from(`blob ${bytes.length}\0`)
      const id = createHash('sha1').update(head).update(bytes).digest('hex')
      const file = fileOf(id)
      if (await isThere(file)) return id
      const place = join(folder, 'objects', id.slice(0, 2))
      await mkdir(place, { recursive: true, mode: 0o700 })
      const temporary = join(place, `tmp_obj_${randomUUID()}`)
      try {
        await writeFile(temporary, await pack(Buffer.concat([head, bytes])), { mode: 0o400, flag: 'wx' })
        await rename(temporary, file)
      } finally {
        await rm(temporary, { force: true })
      }
      return id
    },

    async read(id) {
      const bytes = await readFile(fileOf(contentId(id))).catch(() => null)
      if (bytes === null) return null
      const object = await unpack(bytes)
      return object.subarray(object.indexOf(0) + 1)
    },
  }
}

/** An id out of a row of any origin: never a path, nor a value that git would take for an option. */
export function contentId(id: string): string {
  if (/^[0-9a-f]{40}$/.test(id)) return id
  throw new Error('This is no id of a content')
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
