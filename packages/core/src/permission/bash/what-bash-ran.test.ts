import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAILY_READS } from '@palimpsest/testing/bash/lines.ts'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { judgeCommand } from './judge-command.ts'
import { READING_COMMANDS } from './reading-commands.ts'
import { SPECIAL_COMMANDS } from './special-commands.ts'

/**
 * Bash with a PATH of stubs that log their names, in a folder with files that look like options. Only lines that the policy
 * allows are run, so nothing else can happen.
 */
const lab = mkdtempSync(join(tmpdir(), 'what-bash-ran-'))
const log = join(lab, 'log')
const stubs = join(lab, 'bin')
const work = join(lab, 'work')
afterAll(() => rmSync(lab, { recursive: true }))

const DANGEROUS_NAMES = [
  'rm',
  'sh',
  'id',
  'x',
  'curl',
  'xargs',
  'env',
  'tee',
  'sudo',
  'node',
  'python3',
  'perl',
]
const ALL_NAMES = [...READING_COMMANDS.keys(), ...SPECIAL_COMMANDS.keys(), ...DANGEROUS_NAMES]

mkdirSync(stubs)
mkdirSync(join(work, 'src'), { recursive: true })
for (const file of ['a.txt', 'src/b.ts', '-exec', '--pre=sh', '-o out', 'x;id', '$(id)'])
  writeFileSync(join(work, file), '')
for (const name of ALL_NAMES.filter((name) => name !== '[')) {
  writeFileSync(join(stubs, name), `#!/bin/sh\necho "$0" >>${log}\n`)
  chmodSync(join(stubs, name), 0o755)
}

/** What bash does itself. */
const BUILTINS = new Set(['cd', 'echo', 'printf', 'pwd', 'test', '[', 'true', 'false', 'type', 'command'])

function ranBy(line: string): string[] {
  writeFileSync(log, '')
  spawnSync('/bin/bash', ['--noprofile', '--norc', '-c', line], {
    cwd: work,
    env: { PATH: stubs, HOME: work },
    stdio: 'ignore',
  })
  const names = readFileSync(log, 'utf8').split('\n').filter(Boolean)
  return [...new Set(names.map((path) => path.slice(path.lastIndexOf('/') + 1)))]
}

const piece = fc.constantFrom(
  ...['ls', 'cat', 'grep', 'git', 'log', 'find', 'rg', 'sed', 'echo', 'cd', 'test', 'sort', 'head', 'printf'],
  ...[
    'rm',
    'id',
    'x',
    'sh',
    'env',
    'xargs',
    'command',
    'eval',
    'time',
    'if',
    'then',
    'fi',
    'do',
    'in',
    'case',
  ],
  ...[
    'a.txt',
    'src',
    'src/b.ts',
    '*',
    '*.ts',
    's*',
    '-n',
    '-la',
    '-exec',
    '--',
    '-',
    '.',
    '-e',
    '1p',
    "'1,5p'",
    '+',
    '!',
  ],
  ...[
    "'a b'",
    '"a b"',
    "'",
    '"',
    '\\',
    '$',
    '`',
    '$(id)',
    '`id`',
    '$' + '{x}',
    '$x',
    "$'id'",
    '$"id"',
    '~',
    '#',
    '# c',
  ],
  ...[
    '"$(id)"',
    '"`id`"',
    '"\\$(id)"',
    "'$(id)'",
    '"a$"',
    '{',
    '}',
    '{rm,x}',
    '(',
    ')',
    '<',
    '>',
    '<<',
    '<<<',
    '<(id)',
  ],
  ...[
    '2>&1',
    '2>/dev/null',
    '>/dev/null',
    '&>/dev/null',
    '>&2',
    '> o',
    'X=1',
    'X+=id',
    'a[0]=1',
    '[',
    ']',
    '[[',
    ']]',
  ],
)
const glue = fc.constantFrom(' ', ' ', ' ', ' ', '', '\t', '\n', '\\\n', '\r', '\u00a0', '\f', ' \\\n ', '  ')
const operator = fc.constantFrom(
  ' | ',
  ' && ',
  ' || ',
  '; ',
  '\n',
  ' & ',
  '|',
  ';',
  '&&',
  ' |& ',
  ' ;; ',
  ' ! ',
  '&',
)
const command = fc
  .array(fc.tuple(piece, glue), { minLength: 1, maxLength: 4 })
  .map((pieces) => pieces.map((pair) => pair.join('')).join(''))
/** Mostly lines that read, with one odd piece somewhere. */
const seeded = fc
  .tuple(fc.constantFrom(...DAILY_READS), fc.nat(), fc.oneof(piece, operator, glue))
  .map(([line, at, odd]) => line.slice(0, at % line.length) + odd + line.slice(at % line.length))
const line = fc.oneof(
  seeded,
  fc.array(fc.tuple(command, operator), { minLength: 1, maxLength: 3 }).map((pairs) => pairs.flat().join('')),
)

test('PE-4 of a line that is allowed bash starts what the policy saw, and nothing else', {
  timeout: 900_000,
}, () => {
  let allowed = 0
  const runs = process.env['TEST_PROFILE'] === 'long' ? 20_000 : 2_000
  fc.assert(
    fc.property(line, (text) => {
      const { verdict, commands } = judgeCommand(text, { root: work, enforced: true })
      if (verdict !== 'allow' || /\bsleep\b/.test(text)) return
      allowed += 1
      expect(ranBy(text).filter((name) => !commands.includes(name) || BUILTINS.has(name))).toEqual([])
    }),
    { numRuns: runs },
  )
  process.stdout.write(`bash policy: generated lines allowed and run: ${allowed} of ${runs}\n`)
  expect(allowed).toBeGreaterThan(runs / 20)
  expect(existsSync(join(work, 'o'))).toBe(false)
})

test('PE-4 of the lines of daily work bash starts what the policy saw', { timeout: 120_000 }, () => {
  for (const text of DAILY_READS.filter((text) => !/^(sleep|cat$|tr )/.test(text))) {
    const { commands } = judgeCommand(text, { root: work, enforced: true })
    expect(
      ranBy(text).filter((name) => !commands.includes(name)),
      text,
    ).toEqual([])
  }
})
