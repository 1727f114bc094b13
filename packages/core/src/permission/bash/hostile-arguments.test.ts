import { expect, test } from 'vitest'
import { judgeCommand } from './judge-command.ts'

const judge = (line: string) => judgeCommand(line, { root: '/w/project', enforced: true })
const verdictOf = (line: string) => judge(line).verdict

test.for([
  'git tag --format -l v1',
  'git tag --sort -l v1',
  'git tag --sort --list v1',
  'git branch --sort --list new',
  'git branch --format --merged new',
  'git branch --points-at --list new',
  'git branch -- new --list',
  'git tag -- v1 -l',
])(
  'PE-4 a listing option that is the value or the name of something else creates what is named: %s',
  (line) => {
    expect(verdictOf(line)).toBe('ask')
  },
)

test.for([
  'git tag -l v1',
  'git tag --sort=refname --list v1',
  'git tag --sort refname -l v1',
  'git tag --format x -l -- v1',
  'git branch --list new',
  'git branch -a --list --sort committerdate new',
  'git branch --merged main other',
])('PE-4 a listing option of its own makes names patterns: %s', (line) => {
  expect(verdictOf(line)).toBe('allow')
})

test.for([
  'git log --format=%G?',
  'git log --format=%-G?',
  'git log --format=%+GG',
  "git log --format='% GS'",
  "git log --pretty='format:%h %-GK'",
  'git show --format=%-G? HEAD',
  "git for-each-ref --format='%(signature)'",
  "git for-each-ref --format='%(*signature:grade)'",
  "git branch --list --format='%(signature:key)'",
  "git tag -l --format '%(signature:signer)'",
  "git --no-pager log --format='%h%-G?'",
])('PE-4 a format that checks signatures starts a program, and asks: %s', (line) => {
  expect(verdictOf(line)).toBe('ask')
})

test.for([
  "sed 's/[/a/;/]/s/w x/p/g' f",
  "sed -n 's/[^/a/;/]/s/w x/p/' f",
  "sed 's/[]/a/;/]/s/w x/p/' f",
  "sed 's/[^]/a/;/]/s/w x/p/' f",
  "sed 's/[[:alpha:]/a/;/]/s/w x/p/' f",
  "sed 's/[[.a.]/a/;/]/s/w x/p/' f",
  "sed 's/[[=a=]/a/;/]/s/w x/p/' f",
  String.raw`sed 's/[\]/a/;/]/s/w x/p/' f`,
  "sed '/[/p;/]/s/w x/p/' f",
  "sed 's/[[/a/;/]/s/w x/p/' f",
])('PE-4 a list of characters that versions of sed end in different places asks: %s', (line) => {
  expect(verdictOf(line)).toBe('ask')
})

test.for([
  "sed -n '/[a-z]/p' f",
  "sed 's/[^a-z]//g' f",
  "sed 's/[]]/x/' f",
  "sed 's/[^]a]/x/' f",
  "sed 's/[[:space:]]*$//' f",
  "sed 's/^[[:alpha:]_][[:alnum:]_]*//' f",
  String.raw`sed 's/\[x\]/y/' f`,
  String.raw`sed 's/a\/b/c/' f`,
])('PE-4 a list of characters that ends in one place is read unasked: %s', (line) => {
  expect(verdictOf(line)).toBe('allow')
})

test.for([
  // Commands that evaluate a text as arithmetic, and with it a command.
  "test -v 'a[$(id)]'",
  "[ 'a[$(id)]' -eq 1 ]",
  "test 1 -lt 'x[$(id)]'",
  "[ -R 'a[$(id)]' ]",
  "printf -v 'a[$(id)]' x",
  "printf '%(%s)T' -1",
  'printf %*d 5 x',
  // Arguments that name files with names of files.
  'wc --files0-from=list',
  'sort --files0-from=list',
  'du --files0-from list',
  'find -files0-from list',
  'file -f list',
  'grep -f patterns x',
  'rg -f patterns x',
  'rg --ignore-file=x y',
  'git grep -f patterns',
  'diff --from-file=/etc/passwd a',
  'diff --exclude-from=x a b',
  // Options that start a program.
  'sort --compress-program=sh x',
  'sort --comp sh x',
  'rg --pre sh x',
  'rg -z x',
  'rg --search-zip x',
  'rg --hostname-bin=sh x',
  'git grep -Osh x',
  'git grep --open-files-in-pager=sh x',
  'git diff --ext-diff',
  'git log --textconv',
  'git show --show-signature',
  'git -p log',
  'git --exec-path=. log',
  'git -c core.pager=sh log',
  'file -z x',
  'file --uncompress x',
  'man -P sh ls',
  'less x',
  // Options that write a file.
  'sort -o x y',
  'sort -uo x y',
  'sort --output=x y',
  'sort -T . x',
  'tree -o x',
  'tree -R -H . -L 1',
  'git diff --output=x',
  'git log --output x',
  'xxd a b',
  'uniq -- a b',
  'jq -n input_filename',
  'file -C -m x',
  'git branch -m a b',
  'git branch -D x',
  'git branch -f x HEAD',
  'git branch -u origin/x',
  'git branch --set-upstream-to=x',
  'git tag v1',
  'git tag -d v1',
  'git tag -f -l v1',
  'git remote set-url origin x',
  'git remote add a b',
  'git stash',
  'git stash pop',
  'git reflog expire --all',
  'git reflog delete x',
  'git worktree add x',
  'git config a.b c',
  'git config --get a.b c',
  'git config --unset a.b',
  'git config --get a.b --file=/etc/x',
  'git symbolic-ref HEAD refs/heads/x',
  'git update-index --refresh',
  'git describe --dirty',
])('PE-4 an argument that starts, writes or evaluates something asks: %s', (line) => {
  expect(verdictOf(line)).not.toBe('allow')
})

test.for([
  'cat ..',
  'cat ./..',
  'cat a/../..',
  'cat a/./../../b',
  'cat a//../../b',
  'head -n 3 -- ../x',
  'grep x -- ../y',
  'grep -e x ../y',
  'grep --regexp=x ../y',
  'rg x ../y',
  'ls ../*',
  'ls .*',
  'ls a/.?',
  'ls a/.[.]',
  'ls */../..',
  'cat /w/project/../../etc/passwd',
  'cat /w//project/../x',
  'cat /w/./projects/x',
  'find .. -name x',
  'find a ../b -name x',
  'find /w -name x',
  'sed -n 1p ../x',
  "awk '{print $1}' ../x",
  'jq . ../x',
  'test -f ../x',
  '[ -e /etc/shadow ]',
  'git status ../x',
  'git log -- /etc/passwd',
  'git diff /etc/passwd /etc/group',
  'git blame ../x',
  'cd a/../.. && ls',
  'cd a && cd ../.. && cat x',
  'cd /w/project/.. && cat x',
  'cd a; cat b; cat ../../c',
  'stat -c %n /root',
  'du -sh /',
  'diff a ../b',
  'cmp a /dev/sda',
  'md5sum ../x',
  'readlink -f ../x',
  'tac /proc/1/environ',
])('PE-4 a path that leads out of the workspace is not read unasked: %s', (line) => {
  expect(verdictOf(line)).toBe('ask')
})

test.for([
  'cat a/../b',
  'cat ./a/./b',
  'cat a//b',
  'cat ...',
  'cat ..a',
  'cat a..b/c',
  'cat /w/project/./a',
  'cat /w//project/a/../b',
  'ls a/*/b',
  'ls .git*',
  'cd a && cat b/../c',
  'cat -',
  'ls 2>/dev/null',
  'git log -- src/a.ts',
  "find . -path '*/../*'",
])('PE-4 a path that stays in the workspace is read unasked: %s', (line) => {
  expect(verdictOf(line)).toBe('allow')
})

test.for([
  'rm -rf ~/',
  'rm -rf ~root',
  'rm -rf //',
  'rm -rf /./',
  'rm -rf /.',
  'rm -rf "/"*',
  'rm -rf ./.',
  'rm -rf ./*',
  'rm -rf .*',
  'rm -rf ../..',
  'rm -rf ../../*',
  'rm -R .git/',
  'rm -rf sub/.git',
  'rm --rec -f /',
  'rm -rf -- /',
  'rm -vfr /home/me',
  'rm -rf /w/project/',
  'rm -rf /w/project/*',
  '\\rm -rf /',
  'rm -r"f" /',
  'find . -exec rm -rf {} \\;',
  'find . -type f -exec /bin/rm {} +',
  'find / -name x -delete',
  'stdbuf -o0 ionice -c3 rm -rf /',
  'setsid -w rm -rf /',
  'sudo env A=1 timeout 3 bash -c "rm -rf /"',
  'echo y | sudo rm -rf /',
  'true && { rm -rf /; }',
  'while true; do rm -rf /; done',
  'case x in x) rm -rf / ;; esac',
  'for f in a; do rm -rf ~; done',
  'coproc rm -rf /',
  '! rm -rf /',
  'time rm -rf /',
  'ls | xargs -I{} rm -rf /',
  'echo `rm -rf /`',
  'echo "$(rm -rf /)"',
  'X=$(rm -rf /) ls',
  'mkfs /dev/sda',
  'MKFS.EXT4 /dev/sda',
  'dd of=/dev/nvme0n1 if=x',
  'tee /dev/sda',
  'cp x /dev/sda',
  'cp x /etc/passwd',
  'cat x > /etc/shadow',
  'echo 1 > /proc/sysrq-trigger',
  'truncate -s 0 /etc/hosts',
  'mv ~ x',
  'mv /w/project/.. x',
  'rm -rf /w/project/..',
  'rm -rf src/..',
  'rm -rf src/../..',
  'rm -rf /tmp/../etc',
  'rm -rf /w/project/a/../../project',
  'rm -rf a/./../*',
  'rm -rf ~/..',
  'rm -rf $HOME/../..',
  'find src/.. -delete',
  'chmod -R 777 /w/project/../..',
  'chmod -R 000 ~',
  'chown --recursive me /',
  'init 0',
  'telinit 6',
  'loginctl reboot',
  'kill -KILL -1',
  'zfs destroy tank',
  'diskutil eraseDisk x y',
])('PE-4 another spelling of a destructive line is denied: %s', (line) => {
  expect(judge(line)).toMatchObject({ verdict: 'deny', patterns: [], reach: { reads: [] } })
})

test.for([
  'rm -rf src/../dist',
  'rm -rf /w/project/a/../dist',
  'rm -rf ./dist/',
  'rm -rf ...',
  'rm -rf ~/x/../y',
  'rm -f *',
  'find src/../dist -delete',
  'mv a/../b c',
])('PE-4 a way back to a part of the workspace asks: %s', (line) => {
  expect(verdictOf(line)).toBe('ask')
})

test('PE-4 a refusal quotes at most 80 characters of what is refused', () => {
  const { reason } = judge(`${'x'.repeat(500)} y`)
  expect(reason).toContain(`\`${'x'.repeat(80)}…\``)
  expect(reason).not.toContain('x'.repeat(81))
})

test('PE-4 the limit of a line is 20,000 characters, and a longer one has neither spelling nor pattern', () => {
  const ofLength = (length: number) => `cat ${'a'.repeat(length - 4)}`
  expect(verdictOf(ofLength(20_000))).toBe('allow')
  expect(judge(ofLength(20_001))).toEqual({
    verdict: 'ask',
    reason: 'The command is too long to be checked.',
    commands: ['*'],
    plain: [],
    inner: [],
    unclear: [],
    patterns: [],
    ...{ possible: [], extended: [], mayDestroy: false },
    reach: { reads: [], globs: [], bare: [], texts: [], trees: [], walks: [], gitFolders: [], gitPrints: [] },
  })
})

test.for([
  // A glob after a dash becomes predicates: of the files `-a` and `-delete` two.
  'find . -name -*',
  'find . -newer *.ts',
  // With `--files` the first operand is a folder.
  'rg --files /etc',
  'rg --files ..',
  // Git starts itself in submodules.
  'git diff --submodule=diff',
  'git log -p --submodule',
  'jq -n \'"x" | modulemeta\'',
])('PE-4 an argument that is less plain than it looks asks: %s', (line) => {
  expect(verdictOf(line)).toBe('ask')
})

test.for([
  'find . -name *.ts',
  'rg --files src',
  'jq .env a.json',
  'ps -eo pid,cmd --sort=-rss',
  '[ ! -f a ]',
])('PE-4 an argument that only looks like one that does more is read unasked: %s', (line) => {
  expect(verdictOf(line)).toBe('allow')
})

test('PE-4 an input is read as a path is, and is no part of a permission for its command', () => {
  expect(judge('wc -l < src/a.ts')).toMatchObject({ verdict: 'allow', plain: ['wc -l < src/a.ts'] })
  expect(judge('wc -l <src/a.ts | cat').reach.reads).toEqual(['src/a.ts'])
  for (const line of ['npm test < a', 'sh < a', 'ls; npm test < a'])
    expect(judge(line), line).toMatchObject({ verdict: 'ask', patterns: [], plain: [] })
  for (const line of [
    'cat < ../a',
    'cat <',
    'cat < *',
    'cat <a <',
    'cat < "$?"',
    '< a',
    'cat a<b',
    'cat <<< a',
  ])
    expect(verdictOf(line), line).toBe('ask')
})

test('PE-4 the exit code of the command before is printed, and used for nothing else', () => {
  expect(judge('grep -q x a; echo "exit: $?"').plain).toEqual(['grep -q x a', 'echo "exit: $?"'])
  for (const line of [
    'cat $?',
    'head -$?',
    'printf "$?"',
    '$?',
    'sed -n "$?p" a',
    'echo $?$x',
    "echo '$?'; $x",
  ])
    expect(verdictOf(line), line).toBe('ask')
})

test('PE-4 braces after a revision are text, and others are not', () => {
  for (const line of ['git show stash@{0}', 'git log @{u}..HEAD', 'git cat-file -p HEAD^{tree}'])
    expect(verdictOf(line), line).toBe('allow')
  for (const line of ['git show @{a,b}', 'git show HEAD@{a..c}', 'git show x{0}', 'git show {@{0},b}'])
    expect(verdictOf(line), line).toBe('ask')
})

test('PE-2 no wide permission is proposed for a command that runs others by its arguments', () => {
  for (const line of [
    'find . -newer a -delete',
    'awk -f x a',
    'sed -i s/a/b/ f',
    'tar xf a.tar',
    'rg --pre x y',
  ])
    expect(judge(line).patterns, line).toEqual([expect.not.stringContaining('*')])
})
