import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { callTool, forever } from '../../testing/mcp/call-tool.ts'
import { labProgram, labServers } from '../../testing/mcp/lab-settings.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'

const PROGRAM = fileURLToPath(new URL('../../testing/mcp/faulty-server.ts', import.meta.url))

async function openLab() {
  const folder = await temporaryFolder()
  const servers = labServers([labProgram({ args: [PROGRAM] })], folder.path)
  const connection = await servers.connect('lab', forever())
  return {
    connection,
    async [Symbol.asyncDispose]() {
      await connection.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test.each([
  ['other ids', 'yours'],
  ['twice', 'first'],
  ['batch', 'alone'],
  ['no text', 'a\ufffd(b'],
  ['deep', '(an empty result)'],
  ['prototype', 'plain'],
  ['progress', 'done'],
  ['requests', 'asked'],
])(
  'MC-2 a call that a server answers with %s has its result, and the next one is answered',
  async (tool, result) => {
    await using lab = await openLab()
    expect(await callTool(lab.connection, tool)).toMatchObject({ text: result, isError: false })
    expect(await callTool(lab.connection, 'ok')).toMatchObject({ text: 'fine' })
  },
)

test.each([
  ['wrong content', /what is no result/],
  ['wrong error', /what is no result/],
  ['deep content', /what is no result/],
  ['long error', /^e{20000}$/],
])(
  'MC-2 a call that a server answers with %s fails alone, with a reason of bounded size',
  async (tool, reason) => {
    await using lab = await openLab()
    const failed = await callTool(lab.connection, tool).then(
      () => '',
      (error: Error) => error.message,
    )
    expect(failed).toMatch(reason)
    expect(failed.length).toBeLessThanOrEqual(20_000)
    expect(await callTool(lab.connection, 'ok')).toMatchObject({ text: 'fine' })
  },
)

test.each(['deepest', 'many values'])(
  'MC-2 an answer (%s) that would take long to parse is not parsed, and ends the connection',
  async (tool) => {
    await using lab = await openLab()
    const reason = 'The server sent a message with too many values'
    await expect(callTool(lab.connection, tool)).rejects.toThrow(reason)
    expect(await lab.connection.closed).toContain(reason)
  },
)

test('MC-2 halves of characters in a result are replaced: providers refuse them', async () => {
  await using lab = await openLab()
  const output = await callTool(lab.connection, 'half characters')
  expect(output).toMatchObject({ text: 'a\ufffdb\u0000c\u001b[31md', structured: { 'key\ufffd': '\ufffd' } })
})

test('MC-2 keys of a result that name prototypes change no object', async () => {
  await using lab = await openLab()
  const { structured, isError } = await callTool(lab.connection, 'prototype')
  expect({ ...Object(structured), isError }).toMatchObject({ isError: false })
  expect('polluted' in {}).toBe(false)
})
