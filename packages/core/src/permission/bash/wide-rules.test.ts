import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PermissionRule } from '../../domain/permission/permission.ts'
import { evaluate } from '../evaluate.ts'
import { judgeCommand } from './judge-command.ts'
import { textOfWords } from './propose-patterns.ts'
import { namedInCommand, takenByWide } from './wide-rules.ts'

const allow = (pattern: string): PermissionRule => ({
  permission: 'command',
  pattern,
  action: 'allow',
  source: 'session',
})

/** Whether the rules allow a line as bash reads it, in the one spelling that is required of it. */
function allowed(line: string, ...rules: PermissionRule[]): boolean {
  const { plain } = judgeCommand(line, { root: '/w' })
  const [command] = plain
  if (command === undefined || plain.length > 1) return false
  return evaluate([{ permission: 'command', pattern: command }], rules).action === 'allow'
}
const patternsOf = (line: string) => judgeCommand(line, { root: '/w' }).patterns

test.for([
  ['npm test *', 'npm test', 'npm test -- src/a.test.ts', "npm test -- -t 'adds two' --run"],
  ['npm run build *', 'npm run build', 'npm run build -- --watch=false'],
  ['make check *', 'make check', 'make check -j4 -k', 'make check --jobs=4'],
  ['git fetch *', 'git fetch', 'git fetch --prune origin', 'git fetch origin feature/x'],
  ['git grep *', 'git grep -n word', "git grep -e '--help' -- src"],
  ['git commit *', "git commit -am 'Say why: a=b'", 'git commit --amend --no-edit'],
  ['pytest *', 'pytest tests/a.py::test_b -x', "pytest -k 'a and not b'"],
  ['cargo test *', 'cargo test -p core --release', 'cargo test parses -- --nocapture'],
  ['go test *', 'go test ./... -run TestX', 'go test ./a/b -count=1'],
  ['go build *', 'go build ./cmd/x', 'go build -race ./...'],
  ['cargo clippy *', 'cargo clippy --all-targets'],
  ['pnpm run test:unit *', 'pnpm run test:unit src/a.test.ts'],
  ['yarn test *', 'yarn test -t name'],
  ['bun run typecheck *', 'bun run typecheck --watch=false'],
  ['npx vitest run *', 'npx vitest run src/a.test.ts:12 -t name'],
  ['npx jest *', 'npx jest --ci src'],
  ['npx playwright test *', 'npx playwright test e2e/a.spec.ts'],
  ['eslint *', 'eslint --quiet src'],
  ['prettier --check *', 'prettier --check .'],
  ['python -m pytest *', 'python -m pytest -q tests'],
  ['git pull *', 'git pull --ff-only origin main'],
  ['git add *', 'git add -A', 'git add -- src/a.ts docs'],
])('PE-7 a wide rule allows its command with safe arguments: %s', ([pattern = '', ...lines]) => {
  for (const line of lines) expect(allowed(line, allow(pattern)), line).toBe(true)
})

test.for([
  [
    'make check *',
    'make check SHELL=/tmp/x',
    'make check -f evil.mk',
    'make check --eval=x',
    'make check -C ..',
  ],
  [
    'make check *',
    'make check deploy',
    'make check -I /tmp',
    "make check '*'",
    'make check *',
    'make check < x',
  ],
  ['git fetch *', 'git fetch --upload-pack=x', 'git fetch --upload-pack x', 'git fetch --upload-pa=x origin'],
  [
    'git fetch *',
    "git fetch 'ext::sh -c id'",
    'git fetch https://a.example/x',
    'git fetch ../x',
    'git fetch a@b:c',
  ],
  [
    'git fetch *',
    'git fetch /etc',
    'git fetch origin +main',
    'git fetch origin a:b',
    'git fetch -c x=y origin',
  ],
  [
    'git grep *',
    'git grep -O x',
    'git grep -Oless x',
    'git grep --open-files-in-pager=less x',
    'git grep --op x',
  ],
  [
    'git grep *',
    'git grep -f /etc/passwd',
    'git grep x -- ../y',
    'git grep --no-index x',
    'git grep --textconv x',
  ],
  ['npm test *', 'npm test --prefix ../x', 'npm test --script-shell=./x', 'npm test --node-options=-r=./x'],
  [
    'npm test *',
    'npm test --userconfig=x',
    'npm test -- --config x.ts',
    'npm test -- -r ./x.js',
    'npm test a=b',
  ],
  [
    'npm test *',
    'npm test -- /etc/passwd',
    'npm test -- src/../../x',
    "npm test -- '$(id)'",
    'npm test -- -t',
  ],
  ['npm test *', 'npm test -- *.ts', 'npm test -- src/[a]', 'npm testing', 'npm run test', 'npm -w x test'],
  [
    'git commit *',
    'git commit -F /etc/passwd',
    'git commit -t x',
    'git commit --no-verify -m x',
    'git commit -m',
  ],
  ['pytest *', 'pytest -p evil', 'pytest -c x', 'pytest --basetemp=x', 'pytest @x', 'pytest --rootdir=/'],
  ['cargo test *', 'cargo test --config x', 'cargo test --manifest-path=../x', 'cargo test --target x.json'],
  [
    'go test *',
    'go test -exec x ./...',
    'go test -toolexec=x ./...',
    'go test a.example/x',
    'go test ./../x',
  ],
  ['git add *', 'git add ../x', 'git add /x', 'git add --chmod=+x a', 'git add --pathspec-from-file=x'],
  [
    'git pull *',
    'git pull --upload-pack=x',
    'git pull -s x',
    'git pull https://a.example/x',
    'git pull . a:b',
  ],
  [
    'eslint *',
    'eslint -c x',
    'eslint --rulesdir x',
    'eslint -o /x .',
    'eslint --fix .',
    'eslint --plugin x .',
  ],
  [
    'prettier --check *',
    'prettier --check --plugin=./x .',
    'prettier --check --config x .',
    'prettier --write .',
  ],
  [
    'npx vitest run *',
    'npx vitest run --config x',
    'npx vitest run -r ..',
    'npx vitest',
    'npx vitest related x',
  ],
  ['go test *', 'go test -o x ./...', 'go test -coverprofile=/x ./...', 'go test -C .. ./...'],
])(
  'PE-7 a wide rule lets in no option, file or program that it does not show: %s',
  ([pattern = '', ...lines]) => {
    for (const line of lines) expect(allowed(line, allow(pattern)), line).toBe(false)
  },
)

test.for([
  ['rm x/*', 'rm x/y'],
  ['rm *', 'rm y'],
  ['sudo *', 'sudo id'],
  ['make *', 'make deploy'],
  ['make *', 'make -j4'],
  ['npm run *', 'npm run deploy'],
  ['npm run deploy *', 'npm run deploy production'],
  ['git *', 'git push'],
  ['g*', 'git fetch'],
  ['* fetch', 'git fetch'],
  ['*fetch *', 'git fetch x'],
  ['ma* check *', 'make check -k'],
  ['make che*', 'make check'],
  ['make * -k', 'make check -k'],
  ['make -f *', 'make -f check'],
  ['make check -f *', 'make check -f x'],
  ['git fetch --upload-pack *', 'git fetch --upload-pack origin'],
  ['./check *', './check -k'],
  ['**', 'rm x'],
  ["make 'check' * ", 'make check -k'],
])(
  'PE-7 what allows with a wildcard at another place, or without a list, allows nothing more: %s for %s',
  ([pattern = '', line = '']) => {
    expect(allowed(line, allow(pattern))).toBe(false)
  },
)

test.for([
  ['git commit *', 'git commit -m *'],
  ['git commit *', 'git commit -m a?'],
  ['git commit *', 'git commit -m "a$?"'],
  ['make check *', 'make check < x'],
  ['make check *', 'make check; deploy'],
  ['make check *', 'make check && deploy'],
  ['make check *', 'make check $(deploy)'],
  ['make check *', 'make check > x'],
  ['make c* *', 'make c* -k'],
])(
  'PE-7 no text but one plain command of literal words is allowed by a wide rule: %s for %s',
  ([pattern = '', text = '']) => {
    expect(namedInCommand(pattern, text)).toBeNull()
  },
)

test.for([
  ['git add -A', ['']],
  ['git add --all', ['']],
  ['git add -u src', ['', 'src']],
  ['git add .', ['.']],
  ['git add -- a b/c', ['a', 'b/c']],
  ['git commit -am x', ['']],
  ['git commit -a -m src', ['']],
  ['git commit -m src a.ts', ['a.ts']],
  ['git fetch origin main', []],
  ['npm test src/a.test.ts:12', ['src/a.test.ts']],
  ['npm test -t name -- b', ['b']],
  ['pytest tests/a.py::test_b', ['tests/a.py']],
  ['go test ./...', ['./']],
  ['cargo test name', []],
  ['npx eslint .', ['.']],
  ['rm -rf a', []],
  ['git add *', []],
] as const)('PE-7 the paths are known that a wide rule may let a command take: %s', ([line, paths]) => {
  expect(takenByWide(line)).toEqual(paths)
})

test('PE-7 a rule that denies or asks matches any text, and `*` alone allows every command', () => {
  const line = 'make check SHELL=/tmp/x'
  for (const action of ['deny', 'ask'] as const) {
    const rules = [allow('*'), { ...allow('make check *'), action }]
    expect(evaluate([{ permission: 'command', pattern: line }], rules).action).toBe(action)
  }
  expect(allowed(line, allow('*'))).toBe(true)
  expect(allowed('rm x', { ...allow('*'), permission: '*' })).toBe(true)
  expect(allowed('rm x', { ...allow('rm *'), permission: '*' })).toBe(false)
})

test('PE-1 a rule for the exact command is more specific than a wide one that allows it', () => {
  const requirement = { permission: 'command', pattern: 'make check' } as const
  for (const action of ['deny', 'ask'] as const) {
    const exact: PermissionRule = { ...allow('make check'), action, source: 'manifest' }
    for (const rules of [
      [exact, allow('make check *')],
      [allow('make check *'), exact],
    ])
      expect(evaluate([requirement], rules).action).toBe(action)
  }
})

test.for([
  ['npm test', 'npm test *'],
  ['npm run test:unit', 'npm run test:unit *'],
  ['make check -k', 'make check *'],
  ['git fetch --prune', 'git fetch *'],
  ['python3 -m pytest -q', 'python3 -m pytest *'],
])('PE-2 PE-7 a wide pattern is proposed where all that the line has is safe: %s', ([line = '', wide]) => {
  expect(patternsOf(line)).toEqual([line, wide])
})

test.for([
  'rm x/y',
  'rm -r x',
  'cp a b',
  'mkdir a',
  'make',
  'make check SHELL=x',
  'make -j4 check',
  'npm install',
  'npm install a',
  'npm run deploy',
  'npm test --prefix x',
  'git push origin main',
  'git fetch --upload-pack=x',
  'git fetch https://a.example/x',
  'git checkout main',
  'git -c a=b fetch',
  'docker run x',
  'npx anything',
  'node x.js',
  'curl https://a.example',
])('PE-2 PE-7 only the exact line is proposed for %s', (line) => {
  expect(patternsOf(line)).toEqual([line])
})

const HEADS = [
  'make check',
  'npm test',
  'npm run build',
  'git fetch',
  'git grep',
  'pytest',
  'cargo test',
  'rm',
  'sudo',
]
const HARMLESS =
  '-- -k -j4 -q -v --prune -n -t --run -x name origin src/a.test.ts . --jobs=2 --watch=false'.split(' ')
const HOSTILE =
  '-f -C -O -Oless -pevil -r./x -o --eval=x --upload-pack=x --upload-pack --open-files-in-pager --config --prefix=.. --script-shell --node-options=x --userconfig -exec SHELL=x a=b ext::/x https://a.example /etc/passwd ../x a/../../x ~/x +x a:/b $(x) * ;x'.split(
    ' ',
  )
const anyLine = fc
  .tuple(
    fc.constantFrom(...HEADS),
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...HARMLESS) },
        { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
      ),
      { maxLength: 4 },
    ),
  )
  .map(([head, args]) => ({ head, args, line: textOfWords([...head.split(' '), ...args]) }))

test('PE-7 whatever two lines are, a rule that is made from one allows the other only with its own or safe arguments', () => {
  let counted = 0
  fc.assert(
    fc.property(anyLine, anyLine, (a, b) => {
      for (const pattern of patternsOf(a.line)) {
        if (!allowed(b.line, allow(pattern))) continue
        if (a.line !== b.line) counted += 1
        expect(b.head).toBe(a.head)
        const strange = b.args.filter((arg) => HOSTILE.includes(arg))
        if (a.line !== b.line) expect(strange).toEqual([])
      }
    }),
    { numRuns: 3_000 },
  )
  // The property is about something.
  expect(counted).toBeGreaterThan(10)
})

test('PE-7 each pattern that is proposed allows the line that it was made from', () => {
  fc.assert(
    fc.property(anyLine, ({ line }) => {
      for (const pattern of patternsOf(line)) expect(allowed(line, allow(pattern)), pattern).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})
