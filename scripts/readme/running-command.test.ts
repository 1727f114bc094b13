import { expect, test } from 'vitest'
import { runCommand } from './running-command.ts'

const NODE = JSON.stringify(process.execPath)
const run = (command: string, env: Record<string, string> = {}) => runCommand(command, { cwd: '/', env })

test('QA-1 text is found in the output of a command whether it was printed already or comes later, on either stream', async () => {
  await using command = run(
    `echo one >&2; ${NODE} -e "console.log('two 22'); process.stdin"; read line; echo three`,
  )
  expect((await command.says(/two (\d+)/))[1]).toBe('22')
  expect((await command.says(/one/))[0]).toBe('one')
  expect((await command.says(/three/))[0]).toBe('three')
  expect(await command.finished).toBe('one\ntwo 22\nthree\n')
})

test('QA-1 a command that ends without the expected text is reported with all its output', async () => {
  await using command = run('echo almost; echo there >&2')
  await expect(command.says(/never/)).rejects.toThrow(
    /^echo almost.* ended without \/never\/:\nalmost\nthere\n$/s,
  )
})

test('QA-1 a command that fails is reported with its code and its output', async () => {
  await using command = run('echo broken; exit 3')
  await expect(command.finished).rejects.toThrow('echo broken; exit 3 ended with 3:\nbroken\n')
})

test('QA-1 an interrupt reaches every process that a command has started', async () => {
  const inner = `process.on('SIGINT', () => { console.log('interrupted'); process.exit() }); console.log('up'); setInterval(() => 0, 1000)`
  await using command = run(`trap 'wait' INT; ${NODE} -e ${JSON.stringify(inner)}`)
  await command.says(/up/)
  await command.interrupt()
  expect(await command.says(/interrupted/).then(([word]) => word)).toBe('interrupted')
})

test('QA-1 the end of a test ends the processes that it started', async () => {
  const server = `const s = require('node:http').createServer((_, r) => r.end('up')).listen(0, '127.0.0.1', () => console.log('at', s.address().port))`
  const command = run(`${NODE} -e ${JSON.stringify(server)}; echo after`)
  const [, port] = await command.says(/at (\d+)/)
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('up')
  await command[Symbol.asyncDispose]()
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow()
})

test('QA-1 a command gets no variables of the test run, only those passed to it', async () => {
  const look = `console.log(JSON.stringify(process.env))`
  await using command = run(`${NODE} -e ${JSON.stringify(look)}`, { PORT: '0', MARK: 'given' })
  const seen = JSON.parse(await command.finished) as Record<string, string>
  expect(seen).toMatchObject({ PORT: '0', MARK: 'given', CI: 'true', PATH: expect.any(String) })
  const shown = Object.keys(seen).filter((name) =>
    /^(NODE_ENV|VITEST|PALIMPSEST_|OPENAI_|DATABASE_URL)/.test(name),
  )
  expect(shown).toEqual([])
})
