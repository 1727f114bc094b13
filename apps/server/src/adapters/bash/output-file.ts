import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OUTPUT_LIMITS } from '@palimpsest/core/ports'

export type OutputFile = {
  /** Takes a piece of output; null, or a promise that resolves when more can be taken. */
  add(bytes: Buffer): Promise<void> | null
  /** The file, once there is more output than a result holds; null when not all of it could be written. */
  readonly path: string | null
  /** Whether there was more output than is kept. */
  readonly isFull: boolean
  close(): Promise<void>
}

/** Keeps the whole output of a command in a file, which is made when the output gets longer than a result holds. */
export function createOutputFile(path: string): OutputFile {
  let held: Buffer[] = []
  let bytes = 0
  let opening: Promise<WriteStream | null> | null = null
  let hasFailed = false

  async function open(): Promise<WriteStream | null> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const stream = createWriteStream(path, { mode: 0o600 })
    // Without the file the result still has its head.
    stream.on('error', () => {
      hasFailed = true
      stream.destroy()
    })
    return stream
  }

  async function write(piece: Buffer): Promise<void> {
    const stream = await opening
    if (stream === null || stream.destroyed || stream.write(piece)) return
    await new Promise<void>((resolve) => {
      const settle = () => {
        stream.off('drain', settle).off('close', settle)
        resolve()
      }
      stream.on('drain', settle).on('close', settle)
    })
  }

  return {
    add(piece) {
      bytes += piece.length
      if (bytes > OUTPUT_LIMITS.total) return null
      if (opening !== null) return write(piece)
      held.push(piece)
      if (bytes <= OUTPUT_LIMITS.head) return null
      opening = open().catch(() => {
        hasFailed = true
        return null
      })
      const all = Buffer.concat(held)
      held = []
      return write(all)
    },
    get path() {
      return opening === null || hasFailed ? null : path
    },
    get isFull() {
      return bytes > OUTPUT_LIMITS.total
    },
    async close() {
      const stream = await opening
      if (stream === null || stream === undefined || stream.destroyed) return
      await new Promise<void>((resolve) => {
        stream.once('close', resolve).end()
      })
    },
  }
}
