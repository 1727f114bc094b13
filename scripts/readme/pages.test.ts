import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { listedByGit } from '../lib/source-files.ts'
import { codeIn } from './markdown.ts'
import { page, pagePaths, root } from './pages.ts'

test.each([...pagePaths(), 'CONTRIBUTING.md'])('QA-4 every link of %s leads somewhere', (path) => {
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
