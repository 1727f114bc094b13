import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { McpDefinition } from '../domain/settings/mcp.ts'
import { MCP_LIMITS, type McpServerInfo } from '../ports/index.ts'
import { checkMcpServer } from './check-mcp-server.ts'

const program: McpDefinition = { kind: 'stdio', command: 'npx', args: ['-y', 'x'], env: { A: 'b' } }
const address: McpDefinition = { kind: 'http', url: 'https://wiki.example/mcp?v=1', headers: { A: 'b' } }

function check(server: McpDefinition, name = 'lab', servers: readonly McpServerInfo[] = []) {
  return checkMcpServer({ name, server }, servers)
}

test('MC-2 a program and an address are taken without blanks around them', () => {
  expect(check({ ...program, command: ' npx ' })).toEqual(program)
  expect(check({ ...address, url: ` ${address.url} ` })).toEqual(address)
})

test.each<[string, McpDefinition]>([
  ['server.command', { ...program, command: '  ' }],
  ['server.command', { ...program, command: 'a\nb' }],
  ['server.args.1', { ...program, args: ['a', 'b\0'] }],
  ['server.env.A', { ...program, env: { A: '\0' } }],
  ['server.url', { ...address, url: 'wiki.example' }],
  ['server.url', { ...address, url: 'file:///etc/passwd' }],
  ['server.url', { ...address, url: 'https://me:key@wiki.example/mcp' }],
  ['server.url', { ...address, url: 'https://wiki.example/mcp#x' }],
  ['server.headers.A', { ...address, headers: { A: 'b\r\nX: y' } }],
])('MC-2 a server that is wrong at %s is refused by that field', (field, server) => {
  expect(() => check(server)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', field }))
})

test('MC-2 a name of the configuration file, and one more server than there may be, are refused', () => {
  const entered = { name: 'lab', kind: 'http', entered: { address: 'x' } } as const
  expect(check(program, 'lab', [entered])).toEqual(program)
  expect(() => check(program, 'lab', [{ name: 'lab', kind: 'http' }])).toThrow(
    /set by the configuration file/,
  )
  const many = Array.from({ length: MCP_LIMITS.servers }, (_, at) => ({ ...entered, name: `s${at}` }))
  expect(() => check(program, 'one-more', many)).toThrow(/at most 50/)
  expect(check(program, 's1', many)).toEqual(program)
})

test('MC-2 a name is always 1 to 32 letters, digits and hyphens, which ids of tools can hold', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (name) => {
      const fits = /^[a-zA-Z0-9][a-zA-Z0-9-]{0,31}$/.test(name)
      if (fits) expect(check(program, name)).toEqual(program)
      else expect(() => check(program, name)).toThrow(expect.objectContaining({ field: 'name' }))
    }),
  )
})
