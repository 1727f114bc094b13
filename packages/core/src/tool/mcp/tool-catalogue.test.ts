import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { findTool } from '@palimpsest/testing/find-tool.ts'
import { createScriptedMcp, mcpTool } from '@palimpsest/testing/scripted-mcp.ts'
import { toolRuntime } from '@palimpsest/testing/tool-runtime.ts'
import { expect, test } from 'vitest'
import type { ChatPart } from '../../domain/message/message.ts'
import type { Tool } from '../tool.ts'
import { createMcpHub } from './mcp-hub.ts'
import { createToolCatalogue } from './tool-catalogue.ts'
import { findTools } from './tool-search.ts'

const OWN: Tool[] = Array.from({ length: 18 }, (_, at) => ({ ...findTool, id: `own${at}` }))

async function outside(...names: (string | ReturnType<typeof mcpTool>)[]): Promise<readonly Tool[]> {
  const mcp = createScriptedMcp({ git: [{ tools: names }] })
  const hub = createMcpHub({ mcp, clock: createFakeClock(), logger: silentLogger }, new Set())
  return (await hub.snapshot(new AbortController().signal)).tools
}

const seen = (...parts: ChatPart[]) => ({ parts, hasCommands: false, hasMemories: false })
const idsOf = (tools: readonly Tool[]) => tools.map(({ id }) => id)

/** The part of a search that has found these ids. */
const search = (...found: unknown[]): ChatPart => ({
  type: 'tool-tool_search',
  toolCallId: 'call_1',
  state: 'output-available',
  input: { query: 'x' },
  output: { type: 'output', text: '', data: { found } },
})

test('MC-2 up to 20 tools in all are listed and offered, without a search', async () => {
  const { all, offered } = createToolCatalogue(OWN, await outside('a', 'b'))
  expect(idsOf(all).slice(18)).toEqual(['git_a', 'git_b'])
  expect(offered(seen())).toEqual(all)
})

test('MC-2 of more than 20 tools those beyond are not listed, and a search is', async () => {
  const { all, offered } = createToolCatalogue(OWN, await outside('a', 'b', 'c'))
  const listed = offered(seen())
  expect(idsOf(listed).slice(18)).toEqual(['tool_search', 'git_a'])
  expect(listed[18]?.description).toContain('git (2)')
  expect(idsOf(all).slice(20)).toEqual(['git_b', 'git_c'])
})

test('MC-2 tools that were found are offered in the order in which they were found', async () => {
  const { offered } = createToolCatalogue(OWN, await outside('a', 'b', 'c', 'd'))
  const listed = offered(seen())
  expect(idsOf(offered(seen(search('git_d'), search('git_b', 'git_d')))).slice(listed.length)).toEqual([
    'git_d',
    'git_b',
  ])
  const denied: ChatPart = { ...search(), state: 'output-denied' } as ChatPart
  expect(
    offered(seen(denied, search('gone', 3, 'own1', '__proto__'), { type: 'text', text: 'git_b' })),
  ).toEqual(listed)
})

test('MC-2 a search finds tools by words of their names and descriptions, the best first', async () => {
  const tools = await outside(
    mcpTool('create_issue', { description: 'Opens a new issue' }),
    mcpTool('listIssues', { description: 'Lists all' }),
    mcpTool('comment', { description: 'Comments on an issue' }),
    mcpTool('merge', { description: 'Merges a branch' }),
  )
  expect(idsOf(findTools('Issue', tools))).toEqual(['git_create_issue', 'git_listIssues', 'git_comment'])
  expect(idsOf(findTools('create an issue', tools))[0]).toBe('git_create_issue')
  expect(findTools('weather', tools)).toEqual([])
  expect(findTools('!!!', tools)).toEqual([])
})

test('MC-2 a search answers with ten tools at most, and says what there is when it finds none', async () => {
  const many = await outside(...Array.from({ length: 30 }, (_, at) => `look_${at}`))
  const [tool] = createToolCatalogue(OWN, many).offered(seen()).slice(18)
  const found = await tool?.execute({ query: 'look' }, toolRuntime())
  expect(found?.data).toMatchObject({ found: { length: 10 } })
  expect(found?.text).toContain('- git_look_1: [MCP server git] Does look_1')
  expect(await tool?.execute({ query: 'weather' }, toolRuntime())).toEqual({
    text: 'No tool has these words. Tools that are not listed, by server: git (29).',
    data: { found: [] },
  })
})
