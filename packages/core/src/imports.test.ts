import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = import.meta.dirname
const FORBIDDEN = /^(node:|@?prisma|@prisma\/|@trpc\/|react|next|redis|ioredis|@ai-sdk\/react|@palimpsest\/)/
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g

/** Every module that can be reached from these files of core, and every package that they name. */
function reach(...entries: string[]): { modules: Set<string>; packages: Set<string> } {
  const modules = new Set<string>()
  const packages = new Set<string>()
  const left = entries.map((entry) => join(SOURCE, entry))
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (modules.has(path)) continue
    modules.add(path)
    for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
      if (name.startsWith('.')) left.push(join(dirname(path), name))
      else packages.add(name)
    }
  }
  return { modules, packages }
}

test('RU-1 core reaches no transport, no database driver, no framework and no host', () => {
  const { packages } = reach('index.ts', 'domain/index.ts', 'ports/index.ts', 'model/providers/index.ts')
  expect([...packages].filter((name) => FORBIDDEN.test(name))).toEqual([])
})

test('RU-1 the check reads all of core: its loop, its recorder and its service are among the modules', () => {
  const { modules, packages } = reach('index.ts')
  const found = [...modules].map((path) => relative(SOURCE, path))
  expect(found).toEqual(
    expect.arrayContaining([
      'run/run-turn.ts',
      'run/recorder.ts',
      'session/service.ts',
      'live/memory-live-streams.ts',
    ]),
  )
  expect(packages).toContain('ai')
})

test('SV-1 core exports the service and its adapters, and neither the loop nor an agent', async () => {
  const exported = await import('./index.ts')
  expect(Object.keys(exported).sort()).toEqual([
    'ARCHIVE_LIMITS',
    'BrokenArchive',
    'RESTORE_REASONS',
    'compactionSettingsSchema',
    'createCore',
    'createMemoryLiveStreams',
    'createMemorySessionEvents',
    'systemClock',
  ])
})
