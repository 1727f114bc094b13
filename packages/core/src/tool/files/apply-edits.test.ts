import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffFiles } from '../../domain/workspace/diff-files.ts'
import { decodeText, encodeText } from '../../domain/workspace/text-file.ts'
import { applyEdits, type Edit } from './apply-edits.ts'

const RUNS = process.env['TEST_PROFILE'] === 'long' ? 10_000 : 400

const one = (text: string, old: string, now: string, all?: true) => {
  const edit: Edit = { old, new: now, ...(all && { all }) }
  const result = applyEdits(text, [edit])
  return result.type === 'edited' ? { text: result.text, rung: result.rungs[0] } : { refused: result.reason }
}

const WORDS = [
  'alpha',
  'beta',
  'x = 1',
  '$&',
  '$1',
  'été',
  '🙂',
  '“quoted”',
  "it's",
  'f(a, b)',
  '{',
  '}',
  '\\n',
]
const line = fc.constantFrom(...WORDS)
const indent = fc.constantFrom('', '  ', '    ', '\t', '\t\t')

/** A file whose middle lines are nowhere else in it. */
const file = fc.record({
  before: fc.array(fc.tuple(indent, line), { maxLength: 6 }),
  middle: fc.array(fc.tuple(indent, line), { minLength: 1, maxLength: 4 }),
  after: fc.array(fc.tuple(indent, line), { maxLength: 6 }),
  now: fc.array(fc.tuple(indent, line), { minLength: 1, maxLength: 4 }),
  ending: fc.constantFrom('\n', '\r\n', '\r'),
  final: fc.boolean(),
})

const marked = (lines: readonly (readonly [string, string])[]) =>
  lines.map(([space, words], at) => `${space}${words} #${at}`)
const plain = (lines: readonly (readonly [string, string])[]) => lines.map(([space, words]) => space + words)

/** The file by its lines, with these in its middle. */
function build(made: {
  before: readonly string[]
  after: readonly string[]
  ending: string
  final: boolean
}) {
  const { before, after, ending, final } = made
  return (middle: readonly string[]) =>
    ['top', ...before, ...middle, ...after].join(ending) + (final ? ending : '')
}

test(`TO-1 in ${RUNS} generated files an edit with line feeds equals the file built with the new lines`, () => {
  fc.assert(
    fc.property(file, ({ before, middle, after, now, ending, final }) => {
      const whole = build({ before: plain(before), after: plain(after), ending, final })
      const old = marked(middle)
      const result = one(whole(old), old.join('\n'), [...plain(now), 'end'].join('\n'))
      expect(result).toEqual({
        text: whole([...plain(now), 'end']),
        rung: ending === '\n' || old.length === 1 ? 'exact' : 'line endings and trailing blanks',
      })
    }),
    { numRuns: RUNS },
  )
})

test(`TO-1 in ${RUNS} generated files an edit with other blanks at line ends equals the file built with the new lines`, () => {
  fc.assert(
    fc.property(file, fc.constantFrom(' ', '\t', '  '), ({ before, middle, after, ending, final }, blank) => {
      const whole = build({ before: plain(before), after: [...plain(after), 'last'], ending, final })
      const old = marked(middle)
      const found = old.map((words, at) => (at < old.length - 1 ? words + blank : words))
      const result = one(whole(found), old.map((words) => `${words}\t`).join('\n'), '$& new\nlines')
      expect(result).toEqual({ text: whole(['$& new', 'lines']), rung: 'line endings and trailing blanks' })
    }),
    { numRuns: RUNS },
  )
})

test(`TO-1 in ${RUNS} generated files an edit that is indented less equals the file built with the indented lines`, () => {
  fc.assert(
    fc.property(
      file,
      fc.constantFrom('    ', '\t'),
      ({ before, middle, after, now, ending, final }, more) => {
        const whole = build({ before: plain(before), after: plain(after), ending, final })
        const old = ['first #a', ...marked(middle)]
        const lines = [...plain(now), 'end']
        const result = one(whole(old.map((words) => more + words)), old.join('\n'), lines.join('\n'))
        // Text that is indented the same on each line is found in the middle of a line as well.
        if ('rung' in result && result.rung !== 'indentation') return
        expect(result).toEqual({ text: whole(lines.map((words) => more + words)), rung: 'indentation' })
      },
    ),
    { numRuns: RUNS },
  )
})

test('TO-1 another kind of indentation is found and kept', () => {
  const text = 'def f():\n  if x:\n    a()\n'
  expect(one(text, '\tif x:\n\t\ta()', '\tif y:\n\t\tb()\n\t\t\tc()')).toEqual({
    text: 'def f():\n  if y:\n    b()\n      c()\n',
    rung: 'indentation',
  })
  expect(one('\t\ta()\n', '    a()', '    b()')).toMatchObject({ text: '\t\tb()\n' })
})

test('TO-1 typographic characters are found by the ones on a keyboard', () => {
  expect(one('say “hi” – it’s…\n', 'say "hi" - it\'s...', 'no')).toEqual({
    text: 'no\n',
    rung: 'typographic characters',
  })
  // A piece of what one character replaces is not a match.
  expect(one('wait…\n', 'wait.', 'no')).toHaveProperty('refused')
})

test('TO-1 an old text that is empty, missing, equal or ambiguous is refused with the reason, and all or nothing is done', () => {
  expect(one('a\n', '', 'b').refused).toContain('empty')
  expect(one('a\n', 'x', 'b').refused).toContain('not found')
  expect(one('a\n', 'a', 'a').refused).toContain('equal')
  expect(one('a a\n', 'a', 'b').refused).toContain('2 matches')
  expect(one('aaa', 'aa', 'b').refused).toContain('2 matches')
  expect(one('a a\n', 'a', 'b', true)).toEqual({ text: 'b b\n', rung: 'exact' })
  expect(one('aaa', 'aa', 'b', true)).toEqual({ text: 'ba', rung: 'exact' })
  const edits = [
    { old: 'a', new: 'b' },
    { old: 'x', new: 'y' },
  ]
  expect(applyEdits('a\n', edits)).toMatchObject({
    type: 'refused',
    reason: expect.stringContaining('Edit 2 of 2'),
  })
})

const FIXTURE = join(import.meta.dirname, '../../../../../../shared/fixtures/agent/edit-cases.jsonl')

test.skipIf(!existsSync(FIXTURE))('TO-1 the edits of the shared material end as it says', () => {
  const cases = readFileSync(FIXTURE, 'utf8').trim().split('\n')
  for (const json of cases) {
    const given = JSON.parse(json)
    const result = one(given.file, given.old, given.new, given.all)
    const { name } = given
    if (given.expect_error !== undefined)
      expect([name, result.refused]).toEqual([name, expect.stringContaining(given.expect_error)])
    else
      expect([name, [given.expect ?? given.expect_one_of].flat()]).toEqual([
        name,
        expect.arrayContaining([result.text]),
      ])
  }
})

test('TO-1 text is written back in its encoding, byte for byte, and what is no text is none', () => {
  const kinds = fc.constantFrom(
    { encoding: 'utf-8', bom: false } as const,
    { encoding: 'utf-8', bom: true } as const,
    { encoding: 'utf-16le', bom: true } as const,
    { encoding: 'utf-16be', bom: true } as const,
  )
  const text = fc
    .string({ unit: 'binary' })
    .filter((one) => !one.includes('\0') && !one.startsWith('\uFEFF') && one.isWellFormed())
  fc.assert(
    fc.property(text, kinds, (content, kind) => {
      const bytes = encodeText(content, kind)
      expect(decodeText(bytes)).toEqual({ text: content, ...kind })
    }),
    { numRuns: RUNS },
  )
  for (const bytes of [
    [0xff, 0x41],
    [0x61, 0x00],
    [0xff, 0xfe, 0x00],
    [0xff, 0xfe, 0x00, 0xd8],
  ])
    expect(decodeText(new Uint8Array(bytes))).toBeNull()
})

test('TO-3 a diff shows what changes, and is bounded in size and time', () => {
  expect(diffFiles('a.txt', 'one\ntwo\n', 'one\n2\n')).toEqual({
    path: 'a.txt',
    diff: '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
    added: 1,
    removed: 1,
  })
  expect(diffFiles('b', null, 'x\n')).toMatchObject({ created: true, added: 1, removed: 0 })
  const many = (word: string) =>
    Array.from({ length: 30_000 }, (_, at) => `${word} ${at % 7} ${at}`).join('\n')
  const started = performance.now()
  const large = diffFiles('c', many('a'), many('b'))
  expect(performance.now() - started).toBeLessThan(3_000)
  expect(large).toMatchObject({ truncated: true, added: 30_000, removed: 30_000 })
  expect(large.diff.length).toBeLessThanOrEqual(100_000)
})
