import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { providerConfigSchema } from '@palimpsest/core/providers'
import { expect, test } from 'vitest'
import { LOCAL_SERVERS } from '../../../../packages/core/src/model/providers/local-servers.ts'
import { temporaryRepository } from '../../../../scripts/lib/temporary-repository.ts'
import { codeBlocks, codeIn, tableRows } from '../../../../scripts/readme/markdown.ts'
import { page } from '../../../../scripts/readme/pages.ts'
import { readConfigFile } from '../config-file.ts'

const examples = ['README.md', 'docs/models.md'].flatMap((path) =>
  codeBlocks(page(path), 'json').map((text) => ({ path, text })),
)

test.each(examples)('CF-1 the configuration that $path shows is accepted unchanged', async ({ text }) => {
  using folder = temporaryRepository({})
  const file = join(folder.root, 'palimpsest.config.json')
  writeFileSync(file, text)
  expect((await readConfigFile(file)).providers).toEqual(JSON.parse(text).providers)
})

test('CF-1 the tables of keys hold every key of a provider and of a model, and no other', () => {
  const { properties } = schemaOf(providerConfigSchema.toJSONSchema().additionalProperties)
  expect(keysOf('key of a provider')).toEqual(Object.keys(properties).toSorted())
  expect(keysOf('key of a model')).toEqual(
    Object.keys(schemaOf(properties['defaults']).properties).toSorted(),
  )
})

test('CF-1 every key is used in an example that is accepted', () => {
  const shown = examples.map(({ text }) => text).join()
  for (const key of [...keysOf('key of a provider'), ...keysOf('key of a model')]) {
    expect(shown).toContain(`"${key}"`)
  }
})

test('CF-1 the page lists the automatically discovered servers with their addresses and ids', () => {
  const rows = tableRows(page('docs/models.md'), ['server', 'address', 'id'])
  expect(rows).toEqual(LOCAL_SERVERS.map(({ label, origin, id }) => [label, `\`${origin}\``, `\`${id}\``]))
})

function keysOf(header: string): string[] {
  const rows = tableRows(page('docs/models.md'), [header, 'takes', 'meaning'])
  return rows.flatMap(([keys]) => codeIn(keys ?? '')).toSorted()
}

/** A part of a JSON schema that describes an object. */
function schemaOf(schema: unknown): { properties: Readonly<Record<string, unknown>> } {
  expect(schema).toMatchObject({ type: 'object', properties: {} })
  return schema as { properties: Readonly<Record<string, unknown>> }
}
