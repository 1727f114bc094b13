import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSandboxLab } from '../../testing/sandbox-lab.ts'
import { startProcess } from '../../testing/start-process.ts'
import { setSettingsAside } from './writing-commands.ts'

/** A sandbox whose server reads `name` in the workspace when it starts. */
async function openLab(name: string, files: Record<string, string> = {}) {
  const path = (lab: string) => join(lab, 'work', name)
  const lab = await openSandboxLab({
    files,
    places: (at) => ({ hidden: [join(at, 'work/data'), path(at)], settings: [path(at)] }),
  })
  return { ...lab, config: path(lab.path), at: (one: string) => join(lab.root, one) }
}

const WAYS = [
  ['my.json', 'echo evil > my.json'],
  ['my.json', 'echo evil > e; ln -s e my.json'],
  ['my.json', 'mkdir my.json'],
  ['conf/my.json', 'mkdir conf; echo evil > conf/my.json'],
  ['conf/my.json', 'mkdir src; echo evil > src/my.json; ln -s src conf'],
  ['a/b/my.json', 'mkdir -p c/b; echo evil > c/b/my.json; ln -s c a'],
  ['conf/my.json', 'ln -s ../beside conf'],
] as const

test.for(WAYS)(
  'SX-13 TO-9 settings of the server that are absent, %s, are set aside where a command makes them: %s',
  async ([name, line]) => {
    await using lab = await openLab(name, { 'beside/my.json': 'theirs' })
    const { remarks } = await lab.run(line)
    expect(remarks).toEqual([expect.stringContaining('.set-aside')])
    expect(existsSync(lab.config)).toBe(false)
    expect(await readFile(join(lab.path, 'beside/my.json'), 'utf8')).toBe('theirs')
  },
)

test('SX-13 TO-9 settings that are a link are set aside where a command replaces it, and those that are there stay', async () => {
  await using linked = await openLab('my.json', { 'work/own.json': 'own' })
  await symlink('own.json', linked.at('my.json'))
  expect((await linked.run('echo x > a.txt')).remarks).toEqual([])
  expect((await linked.run('rm my.json; echo evil > my.json')).remarks).toHaveLength(1)
  expect(existsSync(linked.config)).toBe(false)
  await using present = await openLab('my.json', { 'work/my.json': 'own' })
  expect(
    (await present.run('echo evil > my.json; rm my.json; mv my.json b; echo a > beside.json')).remarks,
  ).toEqual([])
  expect(await readFile(present.config, 'utf8')).toBe('own')
})

test('SX-13 TO-9 a start sets aside settings that a command of a killed server made, before it reads them, and nothing that was there', async () => {
  await using lab = await openLab('my.json')
  const folder = join(lab.path, 'palimpsest')
  const running = join(folder, 'outputs/running')
  await mkdir(running, { recursive: true })
  const record = (settings: [string, string][]) =>
    JSON.stringify({ root: lab.root, known: [], parts: [], settings, folders: [], isCut: false, at: 0 })
  const hooks = JSON.stringify({ hooks: [{ event: 'turn.start', command: ['true'] }] })
  await writeFile(lab.config, hooks)
  await writeFile(join(running, 'a.json'), record([[lab.at('other.json'), '']]))
  expect(await setSettingsAside(running)).toEqual([])
  await writeFile(join(running, 'b.json'), record([[lab.config, '']]))
  await writeFile(join(running, 'c.json'), '{ cut')
  const environment = { DATABASE_URL: `file:${join(folder, 'a.db')}`, PALIMPSEST_CONFIG: lab.config }
  await expect(startProcess(environment)).rejects.toThrow(
    /my\.json is now my\.json\.set-aside[\s\S]*does not exist/,
  )
  expect(await readFile(`${lab.config}.set-aside`, 'utf8')).toBe(hooks)
})
