import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { startTestServer } from '../testing/start-test-server.ts'
import { openSourceFolders } from './source-folders.ts'

async function temporaryTree() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-sources-')))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

test('SY-3 a folder of the person that does not exist is left out', async () => {
  await using tree = await temporaryTree()
  await mkdir(join(tree.folder, 'mine'))
  await symlink(join(tree.folder, 'mine'), join(tree.folder, 'link'))
  expect(await openSourceFolders({ own: join(tree.folder, 'none'), skills: [] })).toMatchObject({ own: null })
  expect(await openSourceFolders({ own: join(tree.folder, 'link'), skills: [] })).toMatchObject({
    own: join(tree.folder, 'mine'),
  })
})

test('SY-3 files on disk are read from the allowed folder inward; what is above it or behind a link out is not', async () => {
  await using tree = await temporaryTree()
  const { folder } = tree
  const workspace = join(folder, 'allowed', 'inner')
  const own = join(folder, 'own')
  await mkdir(workspace, { recursive: true })
  await mkdir(own)
  await writeFile(join(folder, 'AGENTS.md'), 'above the allowed folder')
  await writeFile(join(folder, 'secret.md'), 'a secret')
  await writeFile(join(folder, 'allowed', 'AGENTS.md'), 'outer words')
  await writeFile(join(workspace, 'AGENTS.md'), 'inner words')
  await symlink(join(folder, 'secret.md'), join(workspace, 'CLAUDE.md'))
  await writeFile(join(own, 'AGENTS.md'), 'my words')
  await using server = await startTestServer({
    workspaces: [join(folder, 'allowed')],
    coreSettings: { sources: await openSourceFolders({ own, skills: [] }) },
  })
  server.provider.script(reply({ text: 'Hello' }))
  const call = async (path: string, body: object) => {
    const response = await fetch(`${server.url}/trpc/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()).result.data
  }
  const { id } = await call('session.create', { workspaceRoot: workspace })
  await call('session.send', { sessionId: id, message: { parts: [{ type: 'text', text: 'Hi' }] } })
  const streamed = () => server.provider.requests.find(({ body }) => body['stream'] === true)
  await expect.poll(streamed).toBeDefined()
  const prompt = JSON.stringify(streamed()?.body['messages'])
  const places = ['my words', 'outer words', 'inner words'].map((words) => prompt.indexOf(words))
  expect(places[0]).toBeGreaterThan(0)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(prompt).not.toContain('above the allowed folder')
  expect(prompt).not.toContain('a secret')
})

test('SY-4 the bundled skills load without a warning, and a configured folder has to exist', async () => {
  await using tree = await temporaryTree()
  const sources = await openSourceFolders({ own: join(tree.folder, 'none'), skills: [] })
  await using server = await startTestServer({ workspaces: [tree.folder], coreSettings: { sources } })
  const response = await fetch(`${server.url}/trpc/skill.list`)
  const { items, warnings } = (await response.json()).result.data
  expect(items.map(({ name, source }: { name: string; source: string }) => [name, source])).toEqual([
    ['make-skill', 'bundled'],
    ['write-agents-md', 'bundled'],
  ])
  expect(warnings).toEqual([])
  await expect(openSourceFolders({ own: undefined, skills: [join(tree.folder, 'none')] })).rejects.toThrow(
    'skills.0 names',
  )
})

test('SY-4 a hostile tree is scanned within its bounds: links out, links in circles, 3,000 folders, huge files', async () => {
  await using tree = await temporaryTree()
  const skills = join(tree.folder, 'w', '.agents', 'skills')
  const outside = join(tree.folder, 'outside')
  await mkdir(skills, { recursive: true })
  await mkdir(outside)
  await writeFile(join(outside, 'SKILL.md'), '---\nname: out\ndescription: A secret\n---\nA secret')
  await symlink(outside, join(skills, 'out'))
  await symlink(skills, join(skills, 'circle'))
  await mkdir(join(skills, 'linked'))
  await symlink(join(outside, 'SKILL.md'), join(skills, 'linked', 'SKILL.md'))
  await mkdir(join(skills, 'huge'))
  await writeFile(join(skills, 'huge', 'SKILL.md'), Buffer.alloc(11 * 1024 * 1024, 'x'))
  await mkdir(join(skills, 'fine'))
  await writeFile(join(skills, 'fine', 'SKILL.md'), '---\nname: fine\ndescription: Fine\n---\nFine')
  await Promise.all(
    Array.from({ length: 3_000 }, (_, at) => mkdir(join(skills, 'many', `${at}`), { recursive: true })),
  )
  await mkdir(join(tree.folder, 'w', '.claude'))
  await symlink(outside, join(tree.folder, 'w', '.claude', 'skills'))
  await using server = await startTestServer({ workspaces: [join(tree.folder, 'w')] })
  const response = await fetch(`${server.url}/trpc/skill.list`)
  const { items, warnings } = (await response.json()).result.data
  expect(items.map(({ name }: { name: string }) => name)).toEqual(['fine'])
  const texts = warnings.map(({ path, text }: { path: string; text: string }) => `${path}: ${text}`)
  for (const piece of ['.agents/skills/huge/', '.agents/skills/linked/', '.claude/skills', '2000 '])
    expect(texts.join('\n')).toContain(piece)
  expect(JSON.stringify([items, warnings])).not.toContain('A secret')
})
