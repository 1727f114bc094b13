import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { measureGrowth } from '../growth/measure-growth.ts'
import { freePort } from './free-port.ts'
import { runCaptured } from './run-captured.ts'
import { isTestFile, listedByGit, sourceFiles } from './source-files.ts'
import { temporaryRepository } from './temporary-repository.ts'

const node = (script: string, options = {}) => runCaptured(process.execPath, ['-e', script], options)

test('QA-1 a command is reported with its exit code and both of its outputs', async () => {
  expect(await node('console.log("out"); console.error("err")')).toMatchObject({ code: 0 })
  const { code, output } = await node('console.log("out"); console.error("err"); process.exitCode = 3')
  expect(code).toBe(3)
  expect(output).toContain('out')
  expect(output).toContain('err')
})

test('QA-1 a command that a signal ended, or that does not exist, failed', async () => {
  expect((await node('process.kill(process.pid, "SIGKILL")')).code).toBe(1)
  const missing = await runCaptured('no-such-command-at-all', [])
  expect(missing.code).toBe(1)
  expect(missing.output).toContain('no-such-command-at-all')
})

test('QA-1 a command that is aborted has failed, and one that was aborted before does not start', async () => {
  const stop = new AbortController()
  const running = node('setInterval(() => {}, 1000)', { signal: stop.signal })
  stop.abort()
  expect((await running).code).toBe(1)
  const before = await node('console.log("begun")', { signal: AbortSignal.abort() })
  expect(before.code).toBe(1)
  expect(before.output).not.toContain('begun')
})

test('QA-1 a command gets no input, its folder, and its variables beside those of this process', async () => {
  const script =
    'process.stdin.on("data", () => console.log("input")).on("end", () => console.log(process.cwd(), process.env.MARK, Boolean(process.env.PATH)))'
  const { output } = await node(script, { cwd: '/', env: { MARK: 'seen' } })
  expect(output.trim()).toBe('/ seen true')
})

test('QA-1 long output, and characters that arrive in two pieces, are kept whole', async () => {
  const { output } = await node('process.stdout.write("€".repeat(200000))')
  expect(output).toBe('€'.repeat(200_000))
})

test('QA-1 a free port can be listened on, and each call may return another', async () => {
  const port = await freePort()
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  expect(await freePort()).not.toBe(port)
  server.close()
})

test('QA-4 the files of a repository are the existing ones that git tracks or would add', () => {
  using repository = temporaryRepository({
    'a.ts': '',
    'b.d.ts': '',
    'c.md': '',
    'd.test.ts': '',
    'dir/e.tsx': '',
    'dir/ü n.ts': '',
    'ignored/f.ts': '',
    '.gitignore': 'ignored/\n',
    'gone.ts': '',
  })
  execFileSync('git', ['add', '.'], { cwd: repository.root })
  rmSync(join(repository.root, 'gone.ts'))
  expect(sourceFiles(repository.root).toSorted()).toEqual(['a.ts', 'd.test.ts', 'dir/e.tsx', 'dir/ü n.ts'])
  expect(listedByGit(repository.root)).toContain('c.md')
})

test('QA-4 a test is recognised by its file name only', () => {
  expect(['a.test.ts', 'x/b.spec.ts', 'c.test.tsx'].every(isTestFile)).toBe(true)
  expect(
    ['test.ts', 'a.tests.ts', 'latest.ts', 'a.test.js', 'spec.tsx', 'a.test.ts.snap'].some(isTestFile),
  ).toBe(false)
})

test('DA-13 growth is measured without changing the file, and tables are listed by size', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-growth-'))
  try {
    const path = join(folder, 'a.db')
    const database = new DatabaseSync(path)
    database.exec(
      'CREATE TABLE chat_parts (id TEXT PRIMARY KEY, data_json TEXT); CREATE TABLE small (id TEXT)',
    )
    const insert = database.prepare('INSERT INTO chat_parts VALUES (?, ?)')
    for (let index = 0; index < 50; index++) insert.run(`p${index}`, '€'.repeat(1000))
    database.close()
    const before = readFileSync(path)
    const { content, file, tables } = measureGrowth(path)
    expect(content).toBe(50 * 3000)
    expect(file).toBeGreaterThan(content)
    expect(tables[0]?.table).toBe('chat_parts')
    expect(tables.map(({ bytes }) => bytes)).toEqual(
      tables.map(({ bytes }) => bytes).toSorted((a, b) => b - a),
    )
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(() => measureGrowth(join(folder, 'none.db'))).toThrow(/unable to open/)
    writeFileSync(join(folder, 'text.db'), 'no database at all, only some words in a file')
    expect(() => measureGrowth(join(folder, 'text.db'))).toThrow(/not a database/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
