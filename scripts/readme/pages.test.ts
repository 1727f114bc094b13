import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { layers } from '../boundaries/layers.ts'
import { listedByGit } from '../lib/source-files.ts'
import { codeIn, tableRows } from './markdown.ts'
import { page, pagePaths, root } from './pages.ts'

test.each([...pagePaths(), 'CONTRIBUTING.md'])('QA-4 every link of %s has a target', (path) => {
  const targets = Array.from(
    page(path).matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset)="([^"]+)"/g),
    ([, link, image]) => link ?? image ?? '',
  )
  const local = targets.filter((target) => !/^(https?:|#)/.test(target))
  const lost = local.filter((target) => !existsSync(join(root, dirname(path), target.replace(/#.*/, ''))))
  expect(lost).toEqual([])
})

test.each(pagePaths())('QA-4 every source file that %s names exists', (path) => {
  const files = listedByGit(root)
  const named = codeIn(page(path)).filter((code) => /^[\w./-]+\.(ts|tsx|prisma)$/.test(code))
  const lost = named.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))
  expect(lost).toEqual([])
})

test('QA-4 the start page of the docs lists every page', () => {
  const index = page('docs/README.md')
  const pages = pagePaths().filter((path) => path.startsWith('docs/') && path !== 'docs/README.md')
  for (const path of pages) expect(index).toContain(`](${path.slice('docs/'.length)})`)
})

test('QA-1 every command that CONTRIBUTING lists is a script of the repository', () => {
  const { scripts } = JSON.parse(page('package.json')) as { scripts: Record<string, string> }
  const named = tableRows(page('CONTRIBUTING.md'), ['command', 'what it does']).flatMap(([command = '']) =>
    codeIn(command).map((code) => code.replace('npx pnpm@12 ', '').split(' ')[0] ?? ''),
  )
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

test('QA-4 the map of the README has every folder that is a package, and no other', () => {
  const folders = listedByGit(root)
    .filter((path) => /^[^/]+\/([^/]+\/)?package\.json$/.test(path))
    .map(dirname)
  const mapped = tableRows(page('README.md'), ['path', 'what it holds']).flatMap(([path = '']) =>
    codeIn(path),
  )
  expect(mapped.toSorted()).toEqual([...folders, 'docs'].toSorted())
})

test('QA-4 every layer that the boundaries name is a folder that has files', () => {
  const files = listedByGit(root)
  const seen = layers.flatMap(({ folder, sees, seesTypesOf = [] }) => [folder, ...sees, ...seesTypesOf])
  const lost = [...new Set(seen)].filter((folder) => !files.some((file) => file.startsWith(`${folder}/`)))
  expect(lost).toEqual([])
})

test('QA-4 the layers that CONTRIBUTING draws are the folders of the core', () => {
  const drawn = /^core\/domain.*$/m.exec(page('CONTRIBUTING.md'))?.[0] ?? ''
  const names = drawn.matchAll(/core\/(?:\{([\w,]+)\}|(\w+))/g)
  const named = Array.from(names, ([, group, one]) => group?.split(',') ?? [one ?? '']).flat()
  const folders = new Set(
    listedByGit(root).flatMap((path) => /^packages\/core\/src\/(\w+)\//.exec(path)?.[1] ?? []),
  )
  expect(named.toSorted()).toEqual([...folders].toSorted())
})
