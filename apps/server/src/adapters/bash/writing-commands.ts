import { randomUUID } from 'node:crypto'
import { closeSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isProtectedName } from '@palimpsest/core/domain'
import { z } from 'zod'
import { isInside } from '../workspaces.ts'
import { changedSettings, realNameOf } from './changed-settings.ts'
import { openFolder } from './open-folder.ts'
import { isKnown, type WritingCommand } from './protected-places.ts'
import { namedKey } from './scan-workspace.ts'
import { renameAside, setAside } from './set-aside.ts'

/**
 * The commands in the sandbox that may write, while they run: each is a file in a folder of the server before it starts, so that
 * what it makes is set aside also when the server is killed.
 */
export interface WritingCommands {
  running(): readonly WritingCommand[]
  /** Records a command that is about to start. */
  add(command: WritingCommand): Promise<RecordedCommand>
  /** Whether a path, of which no part has to be real, leads through a protected name that a running command may have made. */
  isMade(path: string): boolean
  /**
   * Sets aside what commands of an earlier server have made that was killed; none of them may run. Returns sentences about it.
   */
  settleEarlier(): Promise<string[]>
}

/** `forget` is to be called once what it made is set aside; `drop` where that failed: the next start does it. */
export type RecordedCommand = { forget(): Promise<void>; drop(): void }

const KEYS_BY_PATH = z.array(z.tuple([z.string(), z.string()]))
const RECORD = z.object({
  root: z.string(),
  known: KEYS_BY_PATH,
  parts: KEYS_BY_PATH,
  settings: KEYS_BY_PATH,
  folders: z.array(z.string()),
  isCut: z.boolean(),
  at: z.number(),
})

export function createWritingCommands(folder: string): WritingCommands {
  const commands = new Set<WritingCommand>()
  return {
    running: () => [...commands],

    async add(command) {
      const file = join(folder, `${randomUUID()}.json`)
      await writeDurably(file, toText(command))
      commands.add(command)
      return {
        drop: () => void commands.delete(command),
        async forget() {
          await rm(file, { force: true })
          commands.delete(command)
        },
      }
    },

    isMade: (path) => [...commands].some((command) => isMadeBy(command, path)),

    async settleEarlier() {
      const sentences: string[] = []
      for (const file of await recordsIn(folder)) {
        const command = parse(await readFile(file, 'utf8'))
        if (command !== null) sentences.push(...(await settle(command, setAside)))
        await rm(file)
      }
      return sentences
    },
  }
}

/**
 * Sets aside the settings of the server that commands have made which the records of a folder name, before the server reads any. The
 * records stay. Returns sentences about it.
 */
export async function setSettingsAside(folder: string): Promise<string[]> {
  const sentences: string[] = []
  for (const file of await recordsIn(folder)) {
    const command = parse(await readFile(file, 'utf8').catch(() => ''))
    if (command === null) continue
    const found = await settle(command, async (root, { settings }) => {
      const renamed = await Promise.all(
        changedSettings(root, settings).map((path) => renameAside(root, path)),
      )
      return renamed.filter((sentence) => sentence !== null)
    })
    sentences.push(...found)
  }
  return sentences
}

/** The files of records. A command has started only after its whole record was written. */
async function recordsIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name))
}

function isMadeBy({ root, before }: WritingCommand, path: string): boolean {
  if (!isInside(root, path)) return false
  for (let at = path; at !== root; at = dirname(at)) {
    const name = at.slice(at.lastIndexOf('/') + 1)
    const key = isProtectedName(name) ? namedKey(at) : null
    if (key !== null && !isKnown({ path: realNameOf(at), key }, root, before)) return true
  }
  return false
}

async function settle({ root, before }: WritingCommand, act: typeof setAside): Promise<string[]> {
  let opened: number
  try {
    opened = openFolder(root)
  } catch {
    // Its folder is gone, or another one by now.
    return []
  }
  try {
    return await act(root, before)
  } finally {
    closeSync(opened)
  }
}

function toText({ root, before: { known, parts, settings, folders, ...before } }: WritingCommand): string {
  const lists = { known: [...known], parts: [...parts], settings: [...settings], folders: [...folders] }
  return JSON.stringify({ root, ...lists, ...before })
}

function parse(text: string): WritingCommand | null {
  try {
    const { root, known, parts, settings, folders, ...before } = RECORD.parse(JSON.parse(text))
    const maps = { known: new Map(known), parts: new Map(parts), settings: new Map(settings) }
    return { root, before: { ...before, ...maps, folders: new Set(folders) } }
  } catch {
    return null
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}
