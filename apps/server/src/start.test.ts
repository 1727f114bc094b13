import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { reply } from '@palimpsest/testing'
import { expect, test, vi } from 'vitest'
import { openLabFolder } from './reliability/lab-folder.ts'
import { SERVER_PROGRAM, startProcess } from './testing/start-process.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

// A server is started, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 })

const WAIT = { timeout: 20_000 }

/** Packages that only a part of the server needs, which a plain chat does not use. */
const NOT_NEEDED = [
  '@modelcontextprotocol/client',
  '@prisma/adapter-better-sqlite3',
  '@prisma/client',
  '@prisma/schema-engine-wasm',
  'mermaid',
  'next',
  'rehype-parse',
  'rolldown',
  'undici',
  'unpdf',
]

/** Writes down each module that a process loads, and at its end the modules of Node that it has loaded. */
const WATCHER = `
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
const note = (line) => appendFileSync(process.env.LOADED, line + '\\n')
registerHooks({ load(url, context, next) { note(url); return next(url, context) } })
process.on('exit', () => process.moduleLoadList.forEach(note))
`

test('PF-7 a plain chat with the built server loads no TypeScript and none of the parts that it does not use', async () => {
  await using lab = await openLabFolder(() => reply({ text: 'Hello' }))
  const loaded = await loadedBy(lab.environment, async (url) => {
    const call = (name: string, input: object) =>
      fetch(`${url}/trpc/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input),
      })
    await call('session.create', { id: 'chat', model: { providerId: 'lab', modelId: 'm1' } })
    const message = { parts: [{ type: 'text', text: 'hi' }] }
    expect((await call('session.send', { sessionId: 'chat', message })).status).toBe(200)
    await vi.waitFor(async () => {
      const page = await fetch(`${url}/trpc/session.messages?input={"sessionId":"chat"}`)
      expect(await page.text()).toContain('"finishReason":"stop"')
    }, WAIT)
  })
  expect(loaded.files.filter(isTypeScript)).toEqual([])
  expect(loaded.builtins).not.toContain(STRIPPER)
  expect(NOT_NEEDED.filter((name) => loaded.packages.has(name))).toEqual([])
  expect(loaded.files.length).toBeLessThanOrEqual(24)
  expect(loaded.packages.size).toBeLessThanOrEqual(40)
  // What is loaded is seen, in the built files and beside them.
  expect(loaded.packages).toContain('ai')
  expect(loaded.packages).toContain('better-sqlite3')
})

test('PF-7 a program of TypeScript would be seen', async () => {
  await using folder = await temporaryFolder()
  const notes = join(folder.path, 'loaded')
  const program = join(folder.path, 'program.ts')
  await writeFile(program, 'const one: number = 1\nprocess.exitCode = one - 1')
  await promisify(execFile)(process.execPath, [program], {
    env: { NODE_ENV: 'production', ...watching(notes) },
  })
  const loaded = await readNotes(notes)
  expect(loaded.files.filter(isTypeScript)).toHaveLength(1)
  expect(loaded.builtins).toContain(STRIPPER)
})

/** What takes the types out of TypeScript, in Node. */
const STRIPPER = 'NativeModule internal/deps/amaro/dist/index'
const isTypeScript = (url: string) => /\.[cm]?tsx?$/.test(url)

type Loaded = { files: string[]; builtins: string[]; packages: Set<string> }

/** What the built server has loaded when it has ended after this work. */
async function loadedBy(
  environment: Record<string, string>,
  work: (url: string) => Promise<void>,
): Promise<Loaded> {
  await using folder = await temporaryFolder()
  const notes = join(folder.path, 'loaded')
  await using server = await startProcess({ ...environment, ...watching(notes) })
  await work(server.url)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  return await readNotes(notes)
}

function watching(notes: string): { LOADED: string; NODE_OPTIONS: string } {
  return { LOADED: notes, NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(WATCHER)}` }
}

async function readNotes(notes: string): Promise<Loaded> {
  const lines = (await readFile(notes, 'utf8')).split('\n')
  const files = lines.filter((line) => line.startsWith('file:'))
  return {
    files,
    builtins: lines.filter((line) => line.startsWith('NativeModule ')),
    packages: new Set((await Promise.all(files.map(packagesOf))).flat()),
  }
}

/** The package of a file; of a built one, all packages that it is made of. */
async function packagesOf(url: string): Promise<string[]> {
  const path = fileURLToPath(url)
  const isBuilt = path.startsWith(join(SERVER_PROGRAM, '..'))
  const places = isBuilt ? ((await readFile(path, 'utf8')).match(/^\/\/ .*$/gm) ?? []) : [path]
  return places.flatMap((place) => /.*node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//.exec(place)?.[1] ?? [])
}
