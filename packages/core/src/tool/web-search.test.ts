import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { toolRuntime } from '@palimpsest/testing/tool-runtime.ts'
import { expect, test } from 'vitest'
import { AppError } from '../domain/errors.ts'
import type { WebSearch } from '../ports/index.ts'
import { webSearchTool } from './web-search.ts'

const results = [{ title: 'Iron gall ink', url: 'https://ink.example/', snippet: 'Oak galls.' }]
const service = (search: WebSearch['search']): WebSearch => ({ host: 'search.example', search })
const run = (webSearch: WebSearch | null) =>
  webSearchTool.execute({ query: 'ink' }, toolRuntime({ webSearch }))

test('TO-1 a search returns titles, addresses and excerpts, or says that nothing was found', async () => {
  const found = await run(service(() => Promise.resolve(results)))
  expect(found).toEqual({
    text: '1. Iron gall ink\n   https://ink.example/\n   Oak galls.',
    data: { results },
  })
  expect((await run(service(() => Promise.resolve([])))).text).toBe('Nothing was found.')
})

test('TO-1 a search that fails is an error for the model, in the words of the service’s adapter', async () => {
  const failing = service(() =>
    Promise.reject(new AppError('INVALID_INPUT', 'search.example does not answer.')),
  )
  await expect(run(failing)).rejects.toMatchObject({
    name: 'ToolError',
    message: 'search.example does not answer.',
  })
  await expect(run(service(() => Promise.reject(new Error('secret'))))).rejects.not.toMatchObject({
    name: 'ToolError',
  })
  await expect(run(null)).rejects.toThrow('No search of the web is configured')
})

test('TO-1 PE-1 a search needs the permission for the host of the service', async () => {
  const webSearch = service(() => Promise.resolve([]))
  expect(await webSearchTool.requires({ query: 'ink' }, toolRuntime({ webSearch }))).toEqual([
    { permission: 'network', pattern: 'search.example' },
  ])
})

test('TO-1 models have no search of the web until one is configured', async () => {
  const toolsOf = async (ports: Parameters<typeof openCoreLab>[0]) => {
    await using lab = await openCoreLab(ports)
    lab.provider.script(reply({ text: 'Hi' }))
    await lab.turn('Hello')
    return JSON.stringify(lab.steps[0]?.body['tools'])
  }
  expect(await toolsOf({})).not.toContain('"web_search"')
  expect(await toolsOf({ webSearch: service(() => Promise.resolve([])) })).toContain('"web_search"')
})
