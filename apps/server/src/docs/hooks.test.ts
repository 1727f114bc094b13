import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BLOCKING_EVENTS, HOOK_EVENTS } from '@palimpsest/core/domain'
import { silentLogger } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { codeBlocks, codeIn, tableRows } from '../../../../scripts/readme/markdown.ts'
import { page } from '../../../../scripts/readme/pages.ts'
import { createHooks } from '../adapters/hooks/create-hooks.ts'
import { readConfigFile } from '../config-file.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const hooksPage = page('docs/hooks.md')

test('HK-1 the page lists every event, and which can be blocked', () => {
  const rows = tableRows(hooksPage, ['event', 'blocks', 'payload'])
  const named = rows.map(([event = '', blocks]) => [codeIn(event)[0], blocks === 'yes'])
  const known: ReadonlySet<string> = new Set(BLOCKING_EVENTS)
  expect(Object.fromEntries(named)).toEqual(
    Object.fromEntries(HOOK_EVENTS.map((event) => [event, known.has(event)])),
  )
})

test('HK-3 the example of the page refuses a release and notes a ticket', async () => {
  await using folder = await temporaryFolder()
  const [config = ''] = codeBlocks(hooksPage, 'json')
  const [command = '', module = ''] = codeBlocks(hooksPage, 'js')
  await mkdir(join(folder.path, 'hooks'))
  await writeFile(join(folder.path, 'palimpsest.config.json'), config)
  await writeFile(join(folder.path, 'hooks/no-releases.mjs'), command)
  await writeFile(join(folder.path, 'hooks/ticket.mjs'), module)
  const { hooks: configured } = await readConfigFile(join(folder.path, 'palimpsest.config.json'))
  const hooks = await createHooks(configured, { folder: folder.path, logger: silentLogger })
  expect(hooks).toMatchObject([
    { name: 'no releases', event: 'tool.before', required: true, timeoutMs: 2_000, tools: ['bash'] },
    { name: 'message.user 2', kind: 'module', required: false },
  ])
  const run = async (index: number, facts: object) => {
    const hook = hooks[index]
    if (hook === undefined) throw new Error('There is no such hook.')
    const payload = { event: hook.event, sessionId: 's', at: 1, ...facts }
    return await hook.run(payload, new AbortController().signal)
  }
  expect(await run(0, { args: { command: 'npm test' } })).toEqual({})
  expect(await run(0, { args: { command: 'cd a && npm publish' } })).toEqual({
    decision: 'block',
    reason: 'Releases are made by the pipeline.',
  })
  expect(await run(1, { parts: [{ type: 'text', text: 'See ABC-12' }] })).toEqual({
    metadata: { ticket: 'ABC-12' },
  })
  expect(await run(1, { parts: [{ type: 'text', text: 'Hello' }] })).toEqual({})
})
