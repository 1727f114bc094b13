import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeBlocks } from '../../../scripts/readme/markdown.ts'
import { page } from '../../../scripts/readme/pages.ts'
import { type Config, readConfigFile } from './config-file.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

async function read(content: object): Promise<Config> {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'palimpsest.config.json')
  await writeFile(path, JSON.stringify(content))
  return await readConfigFile(path)
}

test('BU-1 the file of the page limits runs and sessions, and one agent', async () => {
  const [block] = codeBlocks(page('docs/budget.md'), 'json')
  const { budget, agents } = await read(JSON.parse(block ?? ''))
  expect(budget).toEqual({
    run: { max_tool_calls: 100, max_duration: 1_800_000 },
    session: { max_tokens: 2_000_000, max_cost: 5 },
  })
  expect(agents.assistant?.budget).toEqual({ run: { max_tokens: 500_000 } })
})

test('BU-1 without limits in the file nothing is limited, and null lifts a limit', async () => {
  expect((await read({})).budget).toEqual({})
  const lifted = { run: { max_cost: null } }
  expect((await read({ budget: lifted })).budget).toEqual(lifted)
})

test.for([
  ['budget', 5],
  ['budget.run', []],
  ['budget.day', { day: {} }],
  ['budget.run.max_tokens', { run: { max_tokens: 0 } }],
  ['budget.run.max_tokens', { run: { max_tokens: '5' } }],
  ['budget.session.max_tool_calls', { session: { max_tool_calls: 1.5 } }],
  ['budget.session.max_cost', { session: { max_cost: 0 } }],
  ['budget.session.max_cost', { session: { max_cost: 1e300 } }],
  ['budget.session.max_duration', { session: { max_duration: -1 } }],
  ['budget.session.max_steps', { session: { max_steps: 5 } }],
] as const)('BU-1 a limit that is none is refused by its key %s', async ([field, value]) => {
  const budget = field === 'budget.run' ? { run: value } : value
  await expect(read({ budget })).rejects.toMatchObject({ code: 'INVALID_INPUT', field })
})
