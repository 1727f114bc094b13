import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startChild, startProbed } from './child.ts'
import { descendants, memoryOf, memoryOfAll, readProc } from './memory.ts'
import { startCommand } from './start-command.ts'
import { untilItListens } from './until-it-listens.ts'

const MEGABYTE = 1024 * 1024

/** Node, the one program that is always there; it ends with the test. */
function run(script: string) {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'pipe'] })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  return child
}

test('PF-7 the descendants of a process count, at any depth, and nothing else does', () => {
  const parentOf = new Map([
    [2, 1],
    [10, 2],
    [11, 10],
    [12, 10],
    [13, 12],
    [20, 1],
    [21, 20],
  ])
  expect(descendants(parentOf, 10)).toEqual([11, 12, 13])
  expect(descendants(parentOf, 20)).toEqual([21])
  expect(descendants(parentOf, 13)).toEqual([])
  expect(descendants(parentOf, 1).toSorted((a, b) => a - b)).toEqual([2, 10, 11, 12, 13, 20, 21])
})

test.skipIf(process.platform !== 'linux')(
  'PF-7 the memory of a command is that of its own process and its descendants',
  async () => {
    const grow = `const kept = Buffer.alloc(${64 * MEGABYTE}, 1); process.stdout.write('grown'); process.stdin.resume()`
    const outer = run(
      `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grow)}], { stdio: 'inherit' })`,
    )
    await once(outer.stdout, 'data')
    const own = memoryOf(outer.pid ?? 0) ?? 0
    const all = memoryOfAll(outer.pid ?? 0) ?? 0
    expect(own).toBeGreaterThan(10 * MEGABYTE)
    expect(all - own).toBeGreaterThan(64 * MEGABYTE)
    outer.stdin.end()
    await once(outer, 'close')
    expect([memoryOf(outer.pid ?? 0), memoryOfAll(outer.pid ?? 0)]).toEqual([null, null])
  },
)

test('PF-7 an unknown process, or a system without `/proc`, gives no figure', () => {
  expect(readProc(Number.NaN, 'status')).toBeNull()
  expect(memoryOf(Number.NaN)).toBeNull()
  expect(memoryOfAll(Number.NaN)).toBeNull()
})

test('PF-7 a server has started once it prints its address, whatever else it prints', async () => {
  const server = run(`
    console.log('Preparing …')
    console.log('{"msg":"Palimpsest is at http://127.0.0.1:4711","level":"info"}')
    console.log('See http://127.0.0.1:1/')
    process.stdin.resume()`)
  expect(await untilItListens(server, 'it', 30_000)).toBe('http://127.0.0.1:4711')
})

test('PF-7 a server that exits before it listens is reported with its code and its output', async () => {
  const broken = run(`console.error('The port is taken'); process.exitCode = 3`)
  await expect(untilItListens(broken, 'bare', 30_000)).rejects.toThrow(
    /^bare ended with code 3 before it listened\nThe port is taken$/,
  )
})

test('PF-7 a server that prints nothing is given up after its time limit', async () => {
  const silent = run('process.stdin.resume()')
  await expect(untilItListens(silent, 'ours', 1)).rejects.toThrow(/^ours does not listen$/)
})

test('PF-1 a child that listens has used time and memory, and is gone once it is disposed', async () => {
  const provider = await startChild(fileURLToPath(new URL('provider.ts', import.meta.url)))
  const answer = await fetch(provider.url)
  await answer.body?.cancel()
  if (process.platform === 'linux') {
    expect(provider.rss()).toBeGreaterThan(10 * MEGABYTE)
    expect(provider.cpuMs()).toBeGreaterThan(0)
  }
  await provider[Symbol.asyncDispose]()
  await expect(fetch(provider.url)).rejects.toThrow()
  expect([provider.rss(), provider.cpuMs()]).toEqual([null, null])
})

test('PF-7 a command is measured with all its processes, and none of them outlives it', async () => {
  const server = `const s = require('node:http').createServer((_, r) => r.end(process.env.MARK)).listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + s.address().port))`
  const command = `trap : INT; "$NODE" -e "$SERVER"; echo over`
  const started = await startCommand({ NODE: process.execPath, SERVER: server, MARK: 'its own' }, command)
  expect(await (await fetch(started.url)).text()).toBe('its own')
  if (process.platform === 'linux') expect(started.rss()).toBeGreaterThan(20 * MEGABYTE)
  await started[Symbol.asyncDispose]()
  await expect(fetch(started.url)).rejects.toThrow()
})

test('PF-7 a command that fails is reported with its output', async () => {
  await expect(startCommand({}, 'echo no such script >&2; exit 4')).rejects.toThrow(
    /ended with code 4 before it listened\nno such script$/,
  )
})

test('SX-10 the longest time that a server computes without a turn of its loop is measured anew after each look', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-probe-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const program = join(folder, 'busy.mjs')
  await writeFile(
    program,
    `const microseconds = () => { const { user, system } = process.threadCpuUsage(); return user + system }
    process.on('disconnect', () => process.exit())
    setTimeout(() => {
      for (const start = microseconds(); microseconds() - start < 300_000; );
      setTimeout(() => console.log('http://127.0.0.1:9'), 10)
    }, 10)
    setInterval(() => undefined, 1000)`,
  )
  await using child = await startProbed(program, [])
  expect(await child.longestBlockMs()).toBeGreaterThan(299)
  expect(await child.longestBlockMs()).toBeLessThan(299)
})
