import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY_MCP_DRAFT, readEntries, toDefinition } from './mcp-draft.ts'

const FILES = { command: 'npx', args: ['-y', 'server-files', '/srv'], env: { API_KEY: 'k', MODE: 1 } }
const files = {
  ...EMPTY_MCP_DRAFT,
  name: 'files',
  command: 'npx',
  args: '-y\nserver-files\n/srv',
  values: 'API_KEY=k\nMODE=1',
}

test.each([
  ['mcpServers', { mcpServers: { files: FILES } }],
  ['servers', { servers: { files: { type: 'stdio', ...FILES } }, inputs: [] }],
  ['mcp.servers', { mcp: { servers: { files: FILES } } }],
  ['mcp', { mcp: { files: { type: 'local', command: ['npx', ...FILES.args], environment: FILES.env } } }],
  ['a map of names', { files: FILES }],
])('MC-2 an entry under %s is read', (_, entry) => {
  expect(readEntries(JSON.stringify(entry))).toEqual([files])
})

test('MC-2 one server alone is read without a name, and several each by its own', () => {
  expect(readEntries(JSON.stringify(FILES))).toEqual([{ ...files, name: '' }])
  const two = {
    mcpServers: { 'io.github.me/wiki_pages': { serverUrl: 'https://w.example/mcp' }, files: FILES },
  }
  expect(readEntries(JSON.stringify(two)).map(({ name }) => name)).toEqual(['wiki-pages', 'files'])
})

test.each(['url', 'serverUrl', 'httpUrl'])('MC-2 an address under %s is read with its headers', (key) => {
  const entry = {
    mcpServers: { wiki: { [key]: 'https://w.example/mcp', headers: { Authorization: 'Bearer x' } } },
  }
  const [draft] = readEntries(JSON.stringify(entry))
  expect(draft).toEqual({
    ...EMPTY_MCP_DRAFT,
    name: 'wiki',
    kind: 'http',
    url: 'https://w.example/mcp',
    values: 'Authorization: Bearer x',
  })
  expect(draft && toDefinition(draft)).toEqual({
    kind: 'http',
    url: 'https://w.example/mcp',
    headers: { Authorization: 'Bearer x' },
  })
})

test.each([
  ['without the outer braces', `"files": ${JSON.stringify(FILES)},`],
  ['with commas at ends', `{"mcpServers": {"files": ${JSON.stringify(FILES)},},}`],
  ['with comment lines', `// mine\n{"mcpServers": {\n  // the files\n  "files": ${JSON.stringify(FILES)}}}`],
])('MC-2 an entry %s, as pages show it, is read', (_, text) => {
  expect(readEntries(text)).toEqual([files])
})

test('MC-2 a value that an entry leaves to be asked for is empty', () => {
  const entry = { files: { command: 'x', env: { KEY: { env: 'OF_THE_SERVER' } } } }
  expect(readEntries(JSON.stringify(entry))[0]?.values).toBe('KEY=')
})

test('MC-2 any text is read without a failure, and any JSON gives names that the server takes', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((json) => `{"mcpServers": ${json}}`),
      ),
      (text) => {
        for (const { name } of readEntries(text)) expect(name).toMatch(/^([a-zA-Z0-9][a-zA-Z0-9-]{0,31})?$/)
      },
    ),
  )
})

test('MC-2 what is typed is one argument a line, and variables by = or :', () => {
  const draft = { ...files, args: ' -y \n\n two words ', values: 'A=1=2\nB: c\nno value\n' }
  expect(toDefinition(draft)).toEqual({
    kind: 'stdio',
    command: 'npx',
    args: ['-y', 'two words'],
    env: { A: '1=2', B: 'c' },
  })
})
