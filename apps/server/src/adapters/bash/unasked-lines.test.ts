import { PROVED_COMMANDS, PROVED_GIT, READING_COMMANDS } from '@palimpsest/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Breach, openReadingLab } from '../../testing/reading-lab.ts'

const IS_LONG = process.env['TEST_PROFILE'] === 'long'
const LONG_MS = 3_600_000

type Lab = Awaited<ReturnType<typeof openReadingLab>>

/** Runs those of the lines that run unasked. A batch in which something happened is divided to find the line. */
async function runUnasked(lab: Lab, lines: readonly string[], kind: 'bwrap' | 'none') {
  const unasked: string[] = []
  for (const line of new Set(lines)) if (await lab.isUnasked(line, kind)) unasked.push(line)
  const breaches: Breach[] = []
  for (let at = 0; at < unasked.length && breaches.length === 0; at += 250)
    breaches.push(...lab.breachesOf(unasked.slice(at, at + 250)))
  return { unasked, breaches }
}

/** What stands for a value, and for operands: names of files, globs, options, and what is outside. */
const VALUES = [
  '1',
  'x',
  ',',
  '/',
  '1*',
  'x*',
  '-R',
  'a.txt',
  'list',
  '../outside/secret.txt',
  '../outside/secre*',
]
const OPERANDS = [
  '',
  'a.txt',
  'a.txt b.txt',
  '*',
  './*',
  '-- *',
  '1*',
  'x?',
  '[ab]*',
  '--out*',
  'list',
  'list0',
  'sums',
  "'a b' a.txt",
  'dir',
  'dir inner',
  'away/secret.txt',
  'out',
  'up/outside/secret.txt',
  'dir away',
  'a.txt out',
  'x ../outside/secret.txt',
  'x1 -f ../outside/secret.txt',
  'a.txt -n ../outside/secret.txt',
  'a.txt -o b.txt',
  'one a.txt',
  'one *.txt',
  '. a.txt',
  'n.json',
  '. n.json',
  '< list',
  "'{print}' a.txt",
  'p a.txt',
]

function optionsOf(name: string): fc.Arbitrary<string> {
  const rule = READING_COMMANDS.get(name)
  const letters = [...(rule?.short ?? '')].map((letter) => `-${letter}`)
  const valued = [...(rule?.valued ?? ''), ...(rule?.optional ?? '')].flatMap((letter) =>
    VALUES.flatMap((value) => [`-${letter} ${value}`, `-${letter}${value}`]),
  )
  const long = (rule?.long ?? '')
    .split(' ')
    .filter((option) => option !== '')
    .flatMap((option) => {
      const bare = option.replace(/[=?]$/, '')
      return [`--${bare}`, ...VALUES.slice(0, 8).map((value) => `--${bare}=${value}`), `--${bare} 1`]
    })
  const clusters = letters.flatMap((one) => letters.map((other) => `${one}${other.slice(1)}`))
  const mixed = [...(rule?.valued ?? '')].flatMap((letter) =>
    letters.flatMap((one) => [`${one}${letter} 1`, `-${letter}${one.slice(1)}`]),
  )
  const kinds = [letters, valued, long, clusters, mixed, ['-5', '--', '-']].filter((kind) => kind.length > 0)
  return fc.oneof(...kinds.map((kind) => fc.constantFrom(...kind)))
}

/** Endless, or about the machine and not the workspace. */
const NOT_RUN = new Set([
  'users',
  'who',
  'w',
  'lsblk',
  'vmstat',
  'ifconfig',
  'ss',
  'free',
  'uptime',
  'pgrep',
  'df',
])
const TRIED = [...READING_COMMANDS.keys()].filter((name) => !NOT_RUN.has(name))
const SCRIPTED = [
  "awk '{print $1}'",
  'awk -F , 1',
  'awk -v a=1 1',
  'sed -n p',
  'sed -e p -e',
  'find . -name',
  'find',
  'jq .',
  'jq -r .a',
  'strings',
  'tar tf',
  'git diff',
  'git log -p',
  'git grep -n one',
  'git status',
  'git show',
  'git blame',
  'git ls-files',
]

/** Words of programs that read theirs in more than one way, with a blank between. */
const ODD_WORDS: Readonly<Record<string, string>> = {
  ps:
    '-e -f -x -a -A -ef -eLf -ejH -T -L -H -l -j -u -C -p -o -eo e aux ae x axo eo ww root 1 pid pid,args cmd ' +
    '--forest --sort=rss --sort E',
  find:
    ". dir up away -name -newer -samefile -path -printf -print -o ! -type f *.txt '*.txt' -oout '%p:%l' -L -H -follow " +
    '-files0-from list0 -ls -fls -delete',
  awk:
    "-F -v , x* a=1 -f x1 1 '{print}' '{print(a)}' 'BEGIN{print(ENVIRON[\"SECRET\"])}' -- a.txt out FS=1 " +
    'a=../outside/secret.txt ../outside/secret.txt \'{print>"o"}\' \'{getline<"out";print}\'',
  sed: "-n -e -i -s -E -ne -f x1 p 1p 'wo' 'rout' 's/a/b/wo' 1e a.txt out -- -R",
  jq: "-n -r -L dir -f x1 . .a env '$ENV' input --arg a b --slurpfile out -R --rawfile --args n.json -- a.txt '.env' '..|env' -rR",
  xxd: '-p -ps -r -c 8 -s 0 -i -- - a.txt x1 out -autoskip -ac -l1 -R -C',
  tree: '-L 1 -Lo -o -P -I x -R -H . -l -a -f dir up --fromfile --info -J',
  date: '-d -u -f -r -s x 010100002030 +%F --date=now list out -R -I',
  git:
    'diff log show status -p -O --output=o --ext-diff --textconv -c core.pager=x HEAD v1 a.txt b.txt out -- -n 1 ' +
    '--no-index ../outside/secret.txt stash@{0} HEAD:b.txt -S one branch tag -l --list new grep -f x2 blame --contents ' +
    'config --get user.name',
}
const odd = fc
  .constantFrom(...Object.entries(ODD_WORDS))
  .chain(([name, words]) =>
    fc
      .array(fc.constantFrom(...words.split(' ')), { minLength: 1, maxLength: 5 })
      .map((used) => [name, ...used].join(' ')),
  )

const optioned = fc
  .tuple(fc.constantFrom(...TRIED, ...SCRIPTED), fc.constantFrom(...OPERANDS))
  .chain(([name, operands]) =>
    fc
      .array(optionsOf(name), { maxLength: 2 })
      .chain((options) =>
        fc.constantFrom(
          [name, ...options, operands].join(' ').trim(),
          [name, operands, ...options].join(' ').trim(),
        ),
      ),
  )
const generated = fc.oneof({ weight: 2, arbitrary: optioned }, { weight: 1, arbitrary: odd })

const named = new Set([
  'ps',
  ...TRIED,
  'df',
  'uptime',
  'awk',
  'mawk',
  'gawk',
  'sed',
  'find',
  'jq',
  'strings',
  'tar',
  'git',
  'date',
  'sleep',
  'node',
  'python3',
  'bash',
])

test('PE-7 the lab finds what a line does beside reading', { timeout: LONG_MS }, async () => {
  await using lab = await openReadingLab(named)
  for (const [line, did] of [
    ['xxd a.txt -p', 'changed'],
    ['xxd -ps a.txt b.txt', 'changed'],
    ['uniq a.txt x1', 'changed'],
    ['tree -Lo 1 new', 'changed'],
    ['ps ewwx', 'printed'],
    ['cat ../outside/secret.txt', 'printed'],
    ['diff dir away', 'printed'],
    ['wc --files0-from=list0 -c; cat out', 'printed'],
    ['sha256sum out', 'printed'],
    ['less a.txt', 'started'],
  ] as const) {
    expect(lab.breachesOf([line])).toContainEqual({ line, did: expect.stringContaining(did) })
    expect(await lab.isUnasked(line, 'bwrap')).toBe(false)
  }
})

test('PE-7 a line that the table allows changes no file, prints nothing from outside and starts nothing else', {
  timeout: LONG_MS,
}, async () => {
  await using lab = await openReadingLab(named)
  const lines = fc.sample(generated, IS_LONG ? 200_000 : 3_000)
  const { unasked, breaches } = await runUnasked(lab, lines, 'bwrap')
  process.stdout.write(`bash policy: generated lines run: ${unasked.length} of ${lines.length}\n`)
  expect(breaches).toEqual([])
  expect(unasked.length).toBeGreaterThan(lines.length / 20)
})

/** Each option of the short list as a person may write it. */
function provedOptions({ flags = '', values = {}, words = [], digits }: ProvedRule): string[] {
  const valued = Object.entries(values).flatMap(([letter, shape]) =>
    ['1', ':', 'ts']
      .filter((value) => shape.test(value))
      .slice(0, 1)
      .flatMap((value) => [`-${letter} ${value}`, `-${letter}${value}`]),
  )
  return [...[...flags].map((flag) => `-${flag}`), ...valued, ...words, ...(digits === true ? ['-2'] : [])]
}

type ProvedRule = NonNullable<ReturnType<typeof PROVED_COMMANDS.get>>

const PROVED_OPERANDS = [
  '',
  'a.txt',
  'one a.txt',
  'a.txt b.txt',
  '. n.json',
  'list',
  'dir',
  "'a b'",
  'x -R',
  'a.txt -oout',
  '-- -R',
  'up',
  'HEAD',
  'HEAD a.txt',
  '1 3',
  '-- a.txt',
  'out',
  'sums',
]

/** Each pair has other operands, so that all options are tried with all of them. */
function operandsAt(at: number): string {
  return PROVED_OPERANDS[at % PROVED_OPERANDS.length] ?? ''
}

/** Each option alone, in pairs, and with all letters of two in one word. */
function provedLines(name: string, rule: ProvedRule): string[] {
  const options = provedOptions(rule)
  const pairs = options.flatMap((one, at) =>
    options.slice(at).flatMap((other) => [`${one} ${other}`, `${one}${other.slice(1)}`]),
  )
  const whole = ['', ...options].flatMap((words) => PROVED_OPERANDS.map((operands) => `${words} ${operands}`))
  const paired = pairs.flatMap((words, at) =>
    (IS_LONG ? PROVED_OPERANDS : [operandsAt(at)]).map((operands) => `${words} ${operands}`),
  )
  return [...whole, ...paired].map((words) => `${name} ${words}`.trim())
}

test('PE-7 each option of the short list, alone and in pairs, only reads the workspace', {
  timeout: LONG_MS,
}, async () => {
  await using lab = await openReadingLab(named)
  const all = [...PROVED_COMMANDS, ...[...PROVED_GIT].map(([verb, rule]) => [`git ${verb}`, rule] as const)]
  const lines = all
    .flatMap(([name, rule]) => provedLines(name, rule))
    .filter((line) => !line.startsWith('sleep'))
  const { unasked, breaches } = await runUnasked(lab, lines, 'none')
  const absent = [...PROVED_COMMANDS.keys()].filter((name) => !lab.present.has(name))
  process.stdout.write(
    `bash policy: lines of the short list run: ${unasked.length} of ${lines.length}, without ${absent}\n`,
  )
  expect(breaches).toEqual([])
  for (const [name] of all)
    expect(
      unasked.some((line) => line.startsWith(name)),
      name,
    ).toBe(name !== 'sleep')
})
