import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { isToolPart } from '../domain/message/message.ts'
import type { CorePorts } from '../history/core-ports.ts'
import type { PdfReader } from '../ports/index.ts'

/** A core with the built-in tools on these files; in `ask` mode changes of files are asked about. */
async function openLab(
  texts: Record<string, string>,
  mode: 'ask' | 'accept-edits' = 'accept-edits',
  ports: Partial<CorePorts> = {},
) {
  const files = createMemoryFiles(texts)
  const lab = await openCoreLab({ files, ...ports })
  const { id } = await lab.sessions.create({})
  await lab.sessions.permissions.setMode(id, mode)
  const text = (path: string) => new TextDecoder().decode(files.contents.get(path))
  const set = (path: string, content: string) => files.contents.set(path, new TextEncoder().encode(content))
  const pending = () => lab.sessions.permissions.pending(id)
  async function calls() {
    const { items } = await lab.sessions.messages({ sessionId: id })
    return items.flatMap(({ parts }) => parts.filter(isToolPart))
  }
  const answered = async (decision: 'once' | 'deny') => {
    await expect.poll(async () => (await pending()).length).toBe(1)
    const [asked] = await pending()
    await lab.sessions.permissions.reply({ permissionId: asked?.id ?? '', reply: decision })
    return asked
  }
  const idle = () => expect.poll(() => lab.sessions.status(id)).toEqual({ state: 'idle' })
  return Object.assign(lab, { id, text, set, pending, calls, answered, idle })
}

const edit = (path: string, old: string, now: string, id = 'call_e') => ({
  name: 'edit',
  input: { path, edits: [{ old, new: now }] },
  id,
})
const write = (path: string, content: string, id = 'call_w') => ({
  name: 'write',
  input: { path, content },
  id,
})
const read = (path: string, id = 'call_r') => ({ name: 'read', input: { path }, id })
const done = reply({ text: 'Done' })

test('TO-1 a run reads a PDF by the reader of its host, and leaves it as it is', async () => {
  const pdf: PdfReader = { read: () => Promise.resolve({ type: 'pages', pages: ['One'], total: 1 }) }
  await using lab = await openLab({ 'a.pdf': '%PDF-1.7 One' }, 'accept-edits', { pdf })
  lab.provider.script(
    reply({ toolCalls: [read('a.pdf')] }),
    reply({ toolCalls: [edit('a.pdf', 'One', 'Two')] }),
    done,
  )
  await lab.turn('Go', lab.id)
  expect(await lab.calls()).toMatchObject([
    { output: { text: '1\t[Page 1 of 1]\n2\tOne', data: { path: 'a.pdf' } } },
    { errorText: 'a.pdf is a PDF. It is left as it is.' },
  ])
  expect(lab.text('a.pdf')).toBe('%PDF-1.7 One')
})

test('TO-1 a file is read, edited twice and written, and each result is the difference', async () => {
  await using lab = await openLab({ 'a.txt': 'one\ntwo\n' })
  lab.provider.script(
    reply({ toolCalls: [read('a.txt')] }),
    reply({ toolCalls: [edit('a.txt', 'one', '1')] }),
    reply({ toolCalls: [edit('a.txt', 'two', '2')] }),
    reply({ toolCalls: [write('new/b.txt', 'b\n')] }),
    done,
  )
  await lab.turn('Go', lab.id)
  expect([lab.text('a.txt'), lab.text('new/b.txt')]).toEqual(['1\n2\n', 'b\n'])
  expect((await lab.calls()).map(({ output }) => output)).toMatchObject([
    { text: '1\tone\n2\ttwo' },
    { data: { path: 'a.txt', rungs: ['exact'], change: { added: 1, removed: 1 } } },
    { text: expect.stringContaining('-two\n+2') },
    { text: expect.stringContaining('Created new/b.txt'), data: { change: { created: true } } },
  ])
})

test('TO-1 a file that somebody else changed since it was read is refused and named, until it is read again', async () => {
  await using lab = await openLab({ 'a.txt': 'one\n' })
  lab.provider.script(reply({ toolCalls: [read('a.txt')] }), done)
  await lab.turn('Look', lab.id)
  lab.set('a.txt', 'one\nmore\n')
  lab.provider.script(
    reply({ toolCalls: [edit('a.txt', 'one', '1'), write('a.txt', 'x')] }),
    reply({ toolCalls: [read('a.txt')] }),
    reply({ toolCalls: [edit('a.txt', 'one', '1')] }),
    done,
  )
  await lab.turn('Change it', lab.id)
  expect((await lab.calls()).slice(1)).toMatchObject([
    { state: 'output-error', errorText: expect.stringContaining('a.txt was changed by somebody else') },
    { state: 'output-error' },
    { state: 'output-available' },
    { state: 'output-available' },
  ])
  expect(lab.text('a.txt')).toBe('1\nmore\n')
})

test('PE-2 the request shows the exact difference before anything is written, and a denial writes nothing', async () => {
  await using lab = await openLab({ 'src/a.txt': 'one\n' }, 'ask')
  lab.provider.script(
    reply({ toolCalls: [edit('src/../src/a.txt', 'one', '1'), write('b.txt', 'b\n')] }),
    done,
  )
  await lab.say('Go', lab.id)
  await expect.poll(async () => (await lab.pending()).length).toBe(2)
  const [changed, created] = await lab.pending()
  expect(changed).toMatchObject({
    patterns: ['src/a.txt', 'src/*'],
    change: { path: 'src/a.txt', diff: expect.stringContaining('-one\n+1'), added: 1, removed: 1 },
  })
  expect(created).toMatchObject({ change: { path: 'b.txt', created: true } })
  expect(lab.text('src/a.txt')).toBe('one\n')
  await lab.sessions.permissions.reply({ permissionId: changed?.id ?? '', reply: 'once' })
  await lab.sessions.permissions.reply({ permissionId: created?.id ?? '', reply: 'deny' })
  await lab.idle()
  expect([lab.text('src/a.txt'), lab.text('b.txt')]).toEqual(['1\n', ''])
})

test('PE-2 a change of a file that is no longer as the person saw it is not made', async () => {
  await using lab = await openLab({ 'a.txt': 'one\n' }, 'ask')
  lab.provider.script(reply({ toolCalls: [edit('a.txt', 'one', '1')] }), done)
  await lab.say('Go', lab.id)
  await expect.poll(async () => (await lab.pending()).length).toBe(1)
  lab.set('a.txt', 'one\nsecret\n')
  await lab.answered('once')
  await lab.idle()
  expect(lab.text('a.txt')).toBe('one\nsecret\n')
  expect(await lab.calls()).toMatchObject([{ errorText: expect.stringContaining('since a person allowed') }])
})

test('PE-2 TO-7 of two changes of one file the second is asked about once the first is made', async () => {
  await using lab = await openLab({ 'a.txt': 'one\ntwo\n' }, 'ask')
  const toolCalls = [
    edit('a.txt', 'one', '1', 'call_1'),
    edit('./a.txt', 'two', '2', 'call_2'),
    read('a.txt'),
  ]
  lab.provider.script(reply({ toolCalls }), done)
  await lab.say('Go', lab.id)
  expect((await lab.answered('once'))?.change?.diff).toContain('-one\n+1')
  await expect.poll(async () => (await lab.pending())[0]?.change?.diff).toContain(' 1\n-two\n+2')
  await lab.answered('once')
  await lab.idle()
  expect(lab.text('a.txt')).toBe('1\n2\n')
  expect((await lab.calls()).every(({ state }) => state === 'output-available')).toBe(true)
})

test('PE-2 a change that cannot be made is an error for the model, and nobody is asked', async () => {
  await using lab = await openLab({ 'a.txt': 'one\n' }, 'ask')
  lab.provider.script(
    reply({
      toolCalls: [
        edit('a.txt', 'gone', 'x'),
        write('../b.txt', 'b', 'call_o'),
        edit('c.txt', 'a', 'b', 'call_m'),
      ],
    }),
    done,
  )
  await lab.turn('Go', lab.id)
  expect(await lab.calls()).toMatchObject([
    { state: 'output-error', errorText: expect.stringContaining('not found') },
    { state: 'output-error', errorText: expect.stringContaining('outside') },
    { state: 'output-error', errorText: expect.stringContaining('does not exist') },
  ])
})

test('TO-1 what the model has seen of a file goes with a branch and a rewind', async () => {
  await using lab = await openLab({ 'a.txt': 'one\n' })
  lab.provider.script(reply({ toolCalls: [read('a.txt')] }), done)
  const { messages } = await lab.turn('Look', lab.id)
  await lab.sessions.history.rewind({ sessionId: lab.id, messageId: messages[0]?.id ?? '' })
  lab.set('a.txt', 'one\nmore\n')
  lab.provider.script(reply({ toolCalls: [edit('a.txt', 'one', '1')] }), done)
  await lab.turn('Change it', lab.id)
  expect(lab.text('a.txt')).toBe('1\nmore\n')
})
