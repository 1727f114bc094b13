import { expect, test } from 'vitest'
import { judgeCommand } from './judge-command.ts'

const judge = (line: string, enforced: boolean) => judgeCommand(line, { root: '/w/project', enforced })
const verdictOf = (line: string) => judge(line, true).verdict

test.for([
  'awk -F x* 1 a',
  'awk -v x* 1 a',
  'xxd -c 1* a',
  'uniq -f 1*',
  'uniq -f 1* a',
  'grep -v -e ../secre* a',
  'grep -e x* a',
  'grep -m 1* x a',
  'rg -v -e x* a',
  'rg -r x* y a',
  'rg -g *.ts x',
  'rg -g ../x* y',
  'paste -d x* a',
  'nl -s x* a',
  'nl -d x* a',
  'column -s x* a',
  'column -N x* a',
  'diff -I x* a b',
  'diff -x x* a b',
  'diff -F x* a b',
  'comm --output-delimiter x* a b',
  'ls -I x*',
  'stat -c x* a',
  'sort -k 1* a',
  'cut -d x* -f 1 a',
  'fold -w 1* a',
  'head -n 1* a',
  'ls -w*',
  'git log --author x*',
  'git grep -e x* a',
  'jq --indent 1* . a.json',
  'find . -path src*',
  'find . -regex x*',
  'sed -n -e x* a',
  'date -d x*',
])('PE-7 a word with a glob is never the value of an option: %s', (line) => {
  expect(verdictOf(line)).toBe('ask')
})

test('PE-7 a glob in a long option or in the name that is searched has to match nothing, so that it is a text', () => {
  expect(judge('cd src && grep -rn x --include=*.ts .', true)).toMatchObject({
    verdict: 'allow',
    reach: { texts: ['--include=*.ts', 'src/--include=*.ts'] },
  })
  expect(judge('find . -name *.ts', true).reach.texts).toEqual(['*.ts'])
})

test('PE-7 a glob that begins an operand may become an option, and behind `--` or a folder it does not', () => {
  expect(judge('wc -l *.ts', true).reach.bare).toEqual(['*.ts'])
  expect(judge('cd a && cat [a-z]* b/*', true).reach.bare).toEqual(['[a-z]*', 'a/[a-z]*'])
  for (const line of ['wc -l -- *.ts', 'wc -l ./*.ts', 'cat src/*', 'cat a*'])
    expect(judge(line, true), line).toMatchObject({ verdict: 'allow', reach: { bare: [] } })
})

test.for([
  'od -c -w ../f',
  'od -w /etc/passwd',
  'nl -s ../x a',
  'column -s ../x a',
  'column -N /etc/passwd a',
  'diff -I ../x a b',
  'comm --output-delimiter ../x a b',
  'ls -I ../x',
  'stat -c ../x a',
  'paste -d ../x a',
  'head a -n /etc/passwd',
  'tail a -c ../x',
  'cut -f 1 a -d ../x',
  'sort a -t ../x',
  'awk 1 -F /etc/passwd',
  'grep x a -e ../y',
  'sort a -k /etc/passwd',
])('PE-7 the value of an option is no path outside where it may be taken for an operand: %s', (line) => {
  expect(verdictOf(line)).toBe('ask')
})

const LETTERS = [...'abdeiprsuvCEclgoR']

test('PE-7 where a program compares the first letters of an option each is a word of its own', () => {
  for (const one of LETTERS)
    for (const other of LETTERS) expect(verdictOf(`xxd -${one}${other} a victim`), one + other).toBe('ask')
  for (const line of [
    'xxd -ps a',
    'xxd -ps a victim',
    'xxd a -p',
    'xxd a --',
    'xxd -- a',
    'tree -Lo 1 out',
    'tree -Po x',
  ])
    expect(verdictOf(line), line).toBe('ask')
  for (const line of ['xxd -p a', 'xxd -c 8 -s 4 a', 'tree -aL 2', 'tree -L 2 src'])
    expect(verdictOf(line), line).toBe('allow')
})

test('PE-7 ps prints no environment, be its words read again as letters or not', () => {
  for (const line of [
    ...[
      '-ex',
      '-efx',
      '-eHx',
      '-eTx',
      'e',
      'auxe',
      'axe',
      'eww',
      '-e -x',
      '-x -e',
      '-e -u aux',
      '-u ae',
      '-e -p x',
    ],
    ...[
      '-eLf --forest',
      '-eo pid -f',
      '-e -o nothing',
      'eo pid',
      '-T -eL',
      '-ef -x',
      '-ef aux',
      '-e -C node x',
      'E',
    ],
  ])
    expect(verdictOf(`ps ${line}`), line).toBe('ask')
  for (const line of ['aux', '-ef', '-e', 'axo pid,args', '-eo pid,comm --sort=-rss', '-p 1 -o cmd', ''])
    expect(verdictOf(`ps ${line}`.trim()), line).toBe('allow')
})

test.for([
  'sha256sum -c list',
  'md5sum --check list',
  'cksum --check list',
  'wc --files0-from=list',
  'du --files0-from=list',
  'du -X list',
  'sort --files0-from=list',
  'diff --from-file=a b',
  'diff --to-file=a b',
  'grep -f list a',
  'grep --exclude-from=list x a',
  'file -f list',
  'file -m magic a',
  'tree --fromfile list',
  'hexdump -f format a',
  'strings -T x a',
  'jq -L lib . a',
  'jq --slurpfile a b .',
  'jq --rawfile a b .',
  'jq --from-file f a',
  'tail -f log',
  'tail -F log',
  'tail --follow log',
  'date -f list',
  'date -d -d 010100002030',
  'ss -D dump',
  'ss -F filter',
  'shuf -r a',
  'shuf --random-source=a b',
  'printf -v a b',
  'test -v a',
  'env',
  'printenv',
  'declare',
  'set',
  'export -p',
  'jq -n env',
  'jq -n $ENV',
  "awk 'BEGIN { for (k in ENVIRON) print k }'",
  'cat /proc/self/environ',
  'cat /proc/1/environ',
  'cat /sys/kernel/x',
  'cat /dev/mem',
  'cd /proc && cat self/environ',
  'git submodule status',
])('PE-7 lists of files, what never ends and environments ask: %s', (line) => {
  expect(verdictOf(line)).toBe('ask')
  expect(judge(line, false).verdict).toBe('ask')
})

test.for(['/', '/proc', '/proc/1', '/sys/fs', '/dev'])(
  'PE-7 nothing is read unasked in a folder that holds environments: %s',
  (root) => {
    for (const line of ['ls', 'grep -r x', 'cat proc/self/environ', 'cat environ', 'git status'])
      expect(judgeCommand(line, { root, enforced: true }).verdict, line).toBe('ask')
  },
)

test.for([
  ...[
    'awk 1 a',
    'xxd a',
    'uniq a',
    'od a',
    'sed -n 1p a',
    'find . -name x',
    'ps',
    'column a',
    'paste a b',
    'nl a',
  ],
  ...[
    'tree',
    'strings a',
    'tar tf a.tar',
    'file a',
    'rg -g x y',
    'rg --json x',
    'jq "env" a',
    'jq "input" a',
  ],
  ...['cat *', 'cat ./*', 'cat -- a*', 'cat < a', 'echo *', 'ls src/*.ts', 'grep x *.ts', 'echo $?'],
  ...[
    'head a -n 5',
    'head a -n /etc/passwd',
    'sort a -r',
    'grep x a -n',
    'ls -I x',
    'grep -f a b',
    'sort -o a b',
  ],
  ...[
    'cat -',
    'cat -A a',
    'cat --number a',
    'head -n x a',
    'head --lines=1 a',
    'cut -d- -f1 a',
    'sort -k x a',
  ],
  ...[
    'git diff -O a',
    'git log -S x',
    'git log --format=%h',
    'git config --list',
    'git show-branch',
    'git branch x',
  ],
  ...['git diff --stat=5', 'git status a', 'date -d x', 'node -v', 'npm --version', 'pip list', 'diff a b c'],
])('PE-7 without a sandbox a line runs unasked only as literal words of the short list: %s', (line) => {
  expect(judge(line, false).verdict).toBe('ask')
  expect(judgeCommand(line, { root: '/w/project' }).verdict).toBe('ask')
})

test.for([
  ...[
    'ls',
    'ls -la src',
    'cat -n a b',
    'head -n 20 a',
    'head -20 a',
    'tail -n +3 a',
    'wc -l a',
    'pwd',
    'cd src && ls',
  ],
  ...[
    'grep -rn "a b" src',
    'grep -A 3 -i x a | head -5',
    'rg -n x src',
    'rg --files',
    "jq -r '.a.b[0]' a.json",
  ],
  ...[
    'cut -d, -f1,2 a | sort -nr',
    'diff -u a b',
    'stat a',
    'du -sh .',
    'git status',
    'git diff --stat HEAD -- a b',
  ],
  ...[
    'git log --oneline -5',
    'git log main..HEAD -p -n 3',
    'git show HEAD:a',
    'git branch -a',
    'node --version',
  ],
  ...[
    'test -f a && echo yes',
    '[ -d a ] || echo no',
    "printf '%s' x",
    'which node',
    'command -v rg',
    'ls 2>/dev/null',
  ],
])('PE-7 without a sandbox the short list runs unasked: %s', (line) => {
  expect(judge(line, false).verdict).toBe('allow')
})

test('PE-7 what the short list allows the table allows too', () => {
  for (const line of [
    'cat ../a',
    'cat /etc/passwd',
    'ls ~',
    'cd .. && ls',
    'git show ../a',
    'head -n 5 a ../b',
  ])
    expect(judge(line, false).verdict, line).toBe('ask')
  expect(judge('awk 1 a', false).reason).toBe(
    '`awk` with these arguments may do more than read where no sandbox holds it.',
  )
})
