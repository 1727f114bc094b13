import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { toolRuntime } from '@palimpsest/testing/tool-runtime.ts'
import { expect, test } from 'vitest'
import type { PdfContent } from '../domain/files/pdf.ts'
import { editTool } from './edit.ts'
import { readTool } from './read.ts'
import { ToolError } from './tool.ts'
import { writeTool } from './write.ts'

const BYTES = new TextEncoder().encode('%PDF-1.7\nall of it is text')

function openLab(content: PdfContent | null) {
  const files = createMemoryFiles()
  files.contents.set('a/plan.txt', BYTES)
  const asked: { bytes: Uint8Array; signal: AbortSignal }[] = []
  const runtime = toolRuntime({
    files,
    pdf: content && {
      read: (bytes, signal) => {
        asked.push({ bytes, signal })
        return Promise.resolve(content)
      },
    },
  })
  return {
    files,
    runtime,
    asked,
    read: (more: { offset?: number; limit?: number } = {}) =>
      readTool.execute(readTool.input.parse({ path: 'a/plan.txt', ...more }), runtime),
  }
}

test('TO-1 a PDF is known by its first bytes and read by lines with their numbers, with the stamp of the file', async () => {
  const lab = openLab({ type: 'pages', pages: ['One\ntwo', 'Three'], total: 2 })
  expect(await lab.read()).toEqual({
    text: '1\t[Page 1 of 2]\n2\tOne\n3\ttwo\n4\t\n5\t[Page 2 of 2]\n6\tThree',
    data: { path: 'a/plan.txt', stamp: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  expect(lab.asked).toEqual([{ bytes: BYTES, signal: lab.runtime.signal }])
})

test('TO-3 the text of a PDF comes up to 200,000 bytes, and the rest by its lines', async () => {
  const page = Array.from({ length: 3_000 }, () => 'x'.repeat(99)).join('\n')
  const lab = openLab({ type: 'pages', pages: [page], total: 1 })
  const head = await lab.read()
  expect(head).toMatchObject({ truncated: true, outputPath: 'a/plan.txt' })
  expect(head.text.length).toBeLessThan(200_200)
  expect(await lab.read({ offset: 3_001 })).toMatchObject({ text: `3001\t${'x'.repeat(99)}` })
  expect(await lab.read({ offset: 2, limit: 1 })).toMatchObject({ truncated: true })
})

test('TO-3 a PDF of which only the first pages are read is truncated', async () => {
  const lab = openLab({ type: 'pages', pages: ['One'], total: 3 })
  const { text, truncated } = await lab.read()
  expect(truncated).toBe(true)
  expect(text).toContain('[Only 1 page of 3: ')
})

test('TO-1 a PDF that gives no text is a tool error with its path, and so is one on a host that reads none', async () => {
  const locked = openLab({ type: 'fault', fault: 'encrypted' }).read()
  await expect(locked).rejects.toThrow(new ToolError('a/plan.txt is a PDF that opens with a password only.'))
  await expect(openLab(null).read()).rejects.toThrow(
    new ToolError('a/plan.txt is a PDF, and this server reads none.'),
  )
})

test('TO-1 a PDF is not written or edited, though all of its bytes are text', async () => {
  const { runtime, files } = openLab(null)
  const edits = [{ old: 'text', new: 'words' }]
  await expect(editTool.execute({ path: 'a/plan.txt', edits }, runtime)).rejects.toThrow(
    'is a PDF. It is left',
  )
  await expect(writeTool.execute({ path: 'a/plan.txt', content: 'x' }, runtime)).rejects.toThrow('is a PDF')
  expect(files.contents.get('a/plan.txt')).toEqual(BYTES)
})
