import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { toolRuntime } from '@palimpsest/testing/tool-runtime.ts'
import { expect, test } from 'vitest'
import { AppError } from '../domain/errors.ts'
import type { GlobQuery, GrepLine, GrepQuery } from '../ports/files.ts'
import { globTool } from './glob.ts'
import { grepTool } from './grep.ts'
import { ToolError } from './tool.ts'

const line = (path: string, number: number, text: string, isMatch = true): GrepLine => ({
  path,
  number,
  text,
  isMatch,
})

/** A workspace whose searches find these. */
function openLab(found: { paths?: string[]; lines?: GrepLine[]; truncated?: boolean } = {}) {
  const { paths = [], lines = [], truncated = false } = found
  const queries: (GlobQuery | GrepQuery)[] = []
  const signals: AbortSignal[] = []
  const runtime = toolRuntime({
    files: {
      ...createMemoryFiles(),
      glob: async (_, query, signal) => {
        queries.push(query)
        signals.push(signal)
        return { paths, truncated }
      },
      grep: async (_, query, signal) => {
        queries.push(query)
        signals.push(signal)
        return { lines, truncated }
      },
    },
  })
  const glob = (args: object) => globTool.execute(globTool.input.parse(args), runtime)
  const grep = (args: object) => grepTool.execute(grepTool.input.parse(args), runtime)
  return { runtime, queries, signals, glob, grep }
}

test('TO-1 glob returns the paths in the order of the files, and says when there are none', async () => {
  const { glob, queries, signals, runtime } = openLab({ paths: ['b.ts', 'a.ts'] })
  expect(await glob({ pattern: '**/*.ts' })).toEqual({ text: 'b.ts\na.ts' })
  expect(queries).toEqual([{ pattern: '**/*.ts', path: '.', limit: 1_000 }])
  expect(signals).toEqual([runtime.signal])
  expect(await openLab().glob({ pattern: 'x' })).toEqual({ text: 'No file matches.' })
})

test('TO-3 more paths than one answer holds are named as such, with the folder to search', async () => {
  const { glob } = openLab({ paths: ['a', 'b'], truncated: true })
  expect(await glob({ pattern: '*', path: 'src' })).toEqual({
    text: 'a\nb\n\n[Only the first 1000 paths; search a folder of them.]',
    truncated: true,
    outputPath: 'src',
  })
})

test('TO-1 grep writes each path once over its lines, and separates lines that are apart', async () => {
  const { grep } = openLab({
    lines: [
      line('a.ts', 1, 'before', false),
      line('a.ts', 2, 'found'),
      line('a.ts', 3, 'found too'),
      line('a.ts', 9, 'far'),
      line('b.ts', 10, 'other'),
    ],
  })
  expect((await grep({ pattern: 'found', context: 1 })).text).toBe(
    'a.ts\n1- before\n2: found\n3: found too\n--\n9: far\n\nb.ts\n10: other',
  )
})

test('TO-1 grep passes its bounds on, without lines around a match when only files are wanted', async () => {
  const { grep, queries } = openLab()
  await grep({ pattern: 'x' })
  await grep({ pattern: 'x', path: 'src', glob: '*.ts', context: 20, files_only: true })
  expect(queries).toEqual([
    { pattern: 'x', path: '.', glob: null, context: 0, firstOnly: false, limit: 200 },
    { pattern: 'x', path: 'src', glob: '*.ts', context: 0, firstOnly: true, limit: 200 },
  ])
})

test('TO-1 grep for files names each once', async () => {
  const { grep } = openLab({ lines: [line('a', 1, 'x'), line('b', 1, 'x'), line('a', 5, 'x')] })
  expect(await grep({ pattern: 'x', files_only: true })).toEqual({ text: 'a\nb' })
  expect(await openLab().grep({ pattern: 'x', files_only: true })).toEqual({ text: 'No line matches.' })
})

test('TO-3 a line of over 500 characters is cut, never in the middle of a character', async () => {
  const { grep } = openLab({
    lines: [
      line('a', 1, 'x'.repeat(500)),
      line('a', 2, 'y'.repeat(501)),
      line('a', 3, `${'z'.repeat(499)}🙂`),
    ],
  })
  const [, whole, cut, half] = (await grep({ pattern: 'x' })).text.split('\n')
  expect(whole).toBe(`1: ${'x'.repeat(500)}`)
  expect(cut).toBe(`2: ${'y'.repeat(500)}…`)
  expect(half).toBe(`3: ${'z'.repeat(499)}\uFFFD…`)
})

test('TO-3 more matches than one answer holds are named as such', async () => {
  const { grep } = openLab({ lines: [line('a', 1, 'x')], truncated: true })
  expect(await grep({ pattern: 'x', path: 'a' })).toEqual({
    text: 'a\n1: x\n\n[Only the first 200 matches.]',
    truncated: true,
    outputPath: 'a',
  })
})

test.for([
  ['glob', globTool],
  ['grep', grepTool],
] as const)(
  'TO-1 %s requires to read the folder that it searches, wherever its pattern leads',
  async ([, tool]) => {
    const { runtime } = openLab()
    const args = (more: object) =>
      Object.assign({ pattern: '../*', path: '.', context: 0, files_only: false }, more)
    expect(await tool.requires(args({}), runtime)).toEqual([{ permission: 'read', pattern: '.' }])
    expect(await tool.requires(args({ path: 'a/../b' }), runtime)).toEqual([
      { permission: 'read', pattern: 'b' },
    ])
    await expect(tool.requires(args({ path: '/etc' }), runtime)).rejects.toBeInstanceOf(ToolError)
    await expect(tool.requires(args({}), { ...runtime, workspaceRoot: null })).rejects.toThrow('not allowed')
  },
)

test('TO-1 a pattern that the search refuses is an error for the model, and an internal failure is none', async () => {
  const refusing = (code: 'INVALID_INPUT' | 'INTERNAL') => {
    const fails = () => Promise.reject(new AppError(code, 'unclosed group'))
    return toolRuntime({ files: { ...createMemoryFiles(), glob: fails, grep: fails } })
  }
  for (const tool of [globTool, grepTool]) {
    const args = { pattern: '(', path: '.', context: 0, files_only: false }
    await expect(tool.execute(args, refusing('INVALID_INPUT'))).rejects.toThrow(
      new ToolError('unclosed group'),
    )
    await expect(tool.execute(args, refusing('INTERNAL'))).rejects.toBeInstanceOf(AppError)
    await expect(tool.execute(args, toolRuntime({ workspaceRoot: null }))).rejects.toThrow('not allowed')
  }
})

test.for([
  ['an empty pattern', globTool, { pattern: '' }],
  ['a pattern of 1,001 characters', globTool, { pattern: 'x'.repeat(1_001) }],
  ['an empty folder', globTool, { pattern: 'x', path: '' }],
  ['an empty expression', grepTool, { pattern: '' }],
  ['an empty glob', grepTool, { pattern: 'x', glob: '' }],
  ['21 lines around a match', grepTool, { pattern: 'x', context: 21 }],
  ['a negative number of lines', grepTool, { pattern: 'x', context: -1 }],
  ['half a line', grepTool, { pattern: 'x', context: 0.5 }],
] as const)('TO-1 a search with %s is a bad argument', ([, tool, args]) => {
  expect(tool.input.safeParse(args).success).toBe(false)
})
