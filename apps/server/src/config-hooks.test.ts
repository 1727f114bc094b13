import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Config, readConfigFile } from './config-file.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

async function read(hooks: unknown): Promise<Config['hooks']> {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'palimpsest.config.json')
  await writeFile(path, JSON.stringify({ hooks }))
  return (await readConfigFile(path)).hooks
}

const HOOK = { event: 'tool.before', command: ['true'] }

test('HK-2 hooks keep their order, and an event may have several', async () => {
  const hooks = [HOOK, { event: 'turn.end', module: 'a.mjs' }, { ...HOOK, name: 'Two', required: true }]
  expect(await read(hooks)).toEqual(hooks)
})

test.for([
  ['hooks', {}],
  ['hooks.0.event', [{ ...HOOK, event: 'tool.during' }]],
  ['hooks.0.command', [{ ...HOOK, command: 'true' }]],
  ['hooks.0.command.0', [{ ...HOOK, command: [] }]],
  ['hooks.0.timeout', [{ ...HOOK, timeout: 0 }]],
  ['hooks.0.tools', [{ event: 'turn.end', command: ['true'], tools: ['bash'] }]],
  ['hooks.0.required', [{ event: 'turn.end', command: ['true'], required: true }]],
  [
    'hooks.1.name',
    [
      { ...HOOK, name: 'One' },
      { ...HOOK, name: 'One' },
    ],
  ],
] as const)('HK-2 what is no hook is refused by its key %s', async ([field, hooks]) => {
  await expect(read(hooks)).rejects.toMatchObject({ code: 'INVALID_INPUT', field })
})
