import fc from 'fast-check'
import { expect, test } from 'vitest'
import { namesOf, readFrontMatter, textOf } from './front-matter.ts'

const read = (yaml: string, body = 'Body') => readFrontMatter(`---\n${yaml}\n---\n${body}\n`)

test('SY-4 keys and body of a file are read', () => {
  const { keys, body, warnings } = read(
    'name: pdf\ndescription: >\n  Reads\n  files\ntools: [Read, "Bash(git *)"]',
  )
  expect(textOf(keys, 'name')).toBe('pdf')
  expect(textOf(keys, 'description')).toBe('Reads files')
  expect(namesOf(keys, 'tools')).toEqual(['Read', 'Bash(git *)'])
  expect([body, warnings]).toEqual(['Body', []])
})

test('SY-4 a file without front matter is its body', () => {
  expect(readFrontMatter(' Just text\n---\n')).toMatchObject({ body: 'Just text\n---', warnings: [] })
  expect(readFrontMatter('---\nname: x\n').warnings).toEqual(['The front matter has no end.'])
  expect(readFrontMatter('---\n---\nBody').keys.size).toBe(0)
})

test('SY-4 YAML that is not valid is read line by line, with a warning', () => {
  const { keys, warnings } = read('name: pdf\ndescription: Use when: the user asks\n  : [odd')
  expect(textOf(keys, 'name')).toBe('pdf')
  expect(textOf(keys, 'description')).toBe('Use when: the user asks')
  expect(warnings).toHaveLength(1)
})

test('SY-4 names are a list, a text with commas, or the keys that are on', () => {
  const names = (yaml: string) => namesOf(read(yaml).keys, 'tools')
  expect(names('tools: Read, Bash(git diff:*, x), Grep')).toEqual(['Read', 'Bash(git diff:*, x)', 'Grep'])
  expect(names('tools: { read: true, bash: false }')).toEqual(['read'])
  expect(names('tools: 3')).toBeNull()
  expect(names('other: x')).toBeNull()
})

test('SY-4 an alias bomb ends at once, without its expansion', () => {
  const levels = Array.from({ length: 30 }, (_, at) =>
    at === 0 ? 'a0: &a0 [x, x]' : `a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}*a${at - 1}]`,
  )
  const { keys, warnings } = read(`name: bomb\n${levels.join('\n')}`)
  expect(warnings).toHaveLength(1)
  expect(JSON.stringify([...keys]).length).toBeLessThan(10_000)
})

test('SY-4 code in front matter is text, and keys of every object are not taken over', () => {
  const { keys } = readFrontMatter('---js\nglobalThis.ran = true\n---\nBody')
  expect(keys.size).toBe(0)
  expect(globalThis).not.toHaveProperty('ran')
  const odd = read(
    '__proto__: { polluted: true }\nconstructor: x\nf: !!js/function "() => 1"\nd: !!binary aGk=',
  )
  expect({}).not.toHaveProperty('polluted')
  expect(textOf(odd.keys, 'name')).toBeNull()
})

test('SY-4 nesting of any depth and a front matter of any length end in a warning', () => {
  expect(read(`a: ${'['.repeat(8_000)}`).warnings).toHaveLength(1)
  expect(read(`a: ${'x'.repeat(20_000)}`).warnings[0]).toContain('16384')
})

test('SY-4 whatever a file holds, it is read without a throw into well-formed JSON', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '---',
      '\n',
      ': ',
      '- ',
      '&a ',
      '*a',
      '!!',
      '{',
      '[',
      '"',
      "'",
      '|',
      '>',
      '#',
      '? ',
      '<<: ',
      'name',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
  )
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(text, fc.boolean(), (given, framed) => {
      const { keys, body } = readFrontMatter(framed ? `---\n${given}\n---\nBody` : given)
      expect(typeof body).toBe('string')
      expect(JSON.parse(JSON.stringify([...keys]))).toEqual([...keys])
      for (const key of keys.keys()) {
        textOf(keys, key)
        namesOf(keys, key)
      }
    }),
    { numRuns: 300 },
  )
})
