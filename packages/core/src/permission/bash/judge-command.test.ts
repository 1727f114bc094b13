import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { DAILY_READS, DANGEROUS } from '@palimpsest/testing/bash/lines.ts'
import { expect, test } from 'vitest'
import { judgeCommand } from './judge-command.ts'

const facts = { root: '/w/project', enforced: true }
const judge = (line: string) => judgeCommand(line, facts)
const verdictOf = (line: string) => judge(line).verdict
const share = (part: number, whole: number) => `${part} of ${whole}`

test('PE-4 no line that writes, starts something else, reaches out or gains rights is allowed unasked', () => {
  const allowed = DANGEROUS.filter((line) => verdictOf(line) === 'allow')
  process.stdout.write(`bash policy: dangerous lines allowed: ${share(allowed.length, DANGEROUS.length)}\n`)
  expect(allowed).toEqual([])
})

test('PE-4 plain lines that read, as in daily work, are not asked about', () => {
  const asked = DAILY_READS.filter((line) => verdictOf(line) !== 'allow')
  process.stdout.write(`bash policy: reading lines asked about: ${share(asked.length, DAILY_READS.length)}\n`)
  expect(asked).toEqual([])
})

test.for([
  'rm -rf /',
  'rm -rf /*',
  'rm -fr ~',
  'rm -r -f .',
  'rm -rf ./',
  'rm -rf *',
  'rm -rf ..',
  'rm --recursive --force .',
  'rm -rf .git',
  'rm -rf $HOME',
  'rm -rf "$' + '{HOME}"',
  'rm -rf /etc',
  'rm -rf /usr/local',
  'rm -rf /w/project',
  'rm -rf /w',
  'rm -rf src /',
  'rm -rf --no-preserve-root /x',
  '/bin/rm -rf /',
  'r\\m -rf /',
  "'rm' -rf /",
  "$'rm' -rf /",
  'sudo rm -rf /',
  'sudo -u root rm -rf /',
  'env X=1 rm -rf /',
  'timeout 5 rm -rf /',
  'timeout -k 1 5 nice -n 3 rm -rf /',
  'nohup rm -rf / &',
  'command rm -rf /',
  'exec rm -rf /',
  'xargs rm -rf / < x',
  'bash -c "rm -rf /"',
  "bash -c 'ls; rm -rf ~'",
  'sh -lc "rm -rf ."',
  'sudo bash -c "rm -rf /"',
  'env bash -c "bash -c \'rm -rf /\'"',
  'eval "rm -rf /"',
  'eval rm -rf /',
  'echo "rm -rf /" | sh',
  "printf 'rm -rf /\\n' | bash",
  'bash <<EOF\nrm -rf /\nEOF',
  "bash <<< 'rm -rf /'",
  'ssh host rm -rf /',
  'su -c "rm -rf /"',
  'ls && rm -rf /',
  'ls; (cd x; rm -rf /)',
  'if true; then rm -rf ~; fi',
  'echo $(rm -rf /)',
  'cat <(rm -rf /)',
  'f() { rm -rf /; }; f',
  'find / -delete',
  'find . -delete',
  'find . -type f -delete',
  'find ~ -name x -exec rm {} +',
  'sudo find / -exec rm -rf {} \\;',
  'mkfs.ext4 /dev/sda1',
  'dd if=/dev/zero of=/dev/sda',
  'echo x > /dev/sda',
  'cat x > /dev/nvme0n1',
  'shred -u x',
  'wipefs -a /dev/sda',
  ':(){ :|:& };:',
  'bomb() { bomb | bomb & }; bomb',
  'shutdown -h now',
  'sudo reboot',
  'systemctl poweroff',
  'kill -9 -1',
  'kill -9 1',
  'chmod -R 777 /',
  'chown -R me /etc',
  'mv / /x',
  'mv src /dev/null',
  'echo x > /etc/passwd',
  'crontab -r',
])('PE-4 a destructive line is denied, also inside wrappers: %s', (line) => {
  expect(judge(line)).toMatchObject({ verdict: 'deny', patterns: [] })
})

test.for([
  'rm -rf node_modules',
  'rm -rf dist build',
  'rm x',
  'rm -r src/old',
  'rm -rf /w/project/dist',
  'find . -name "*.o" -delete',
  'chmod -R u+w dist',
  'echo x >> notes.txt',
  'git clean -fdx',
  'kill 4711',
  'cp a b',
])('PE-4 a line that changes only a part of the workspace asks: %s', (line) => {
  expect(verdictOf(line)).toBe('ask')
})

test('PE-4 the reason says what makes a line more than reading', () => {
  expect(judge('curl https://x').reason).toBe('`curl` reaches the network.')
  expect(judge('curl x | tar xz').reason).toBe('`curl` reaches the network.')
  expect(judge('sudo ls').reason).toBe('`sudo` runs with other rights.')
  expect(judge('cat ../x').reason).toBe('`cat` reaches ../x, outside of the workspace.')
  expect(judge('find . -name x -delete').reason).toBe('`find` with `-delete` may do more than read.')
  expect(judge('npm test').reason).toContain('not one of the commands that only read')
  expect(judge('echo x > y').reason).toBe('It cannot be checked as a whole: it redirects to or from a file.')
  expect(judge('echo $(id)').reason).toContain('it runs a command inside another')
  expect(judge('ls "').reason).toBe('It cannot be read as bash.')
})

test('PE-4 paths of the workspace are read unasked, and paths outside of it are not', () => {
  expect(verdictOf('cat /w/project/src/a.ts')).toBe('allow')
  expect(verdictOf('cd /w/project/src && cat a.ts ../b.ts')).toBe('ask')
  expect(verdictOf('cd src && cat a.ts')).toBe('allow')
  expect(verdictOf('cat src/../a.ts')).toBe('allow')
  expect(verdictOf('cat /w/project/../x')).toBe('ask')
  expect(verdictOf('cat /w/projectile/x')).toBe('ask')
  expect(judgeCommand('cat /w/project/x', { root: null, enforced: true }).verdict).toBe('ask')
  expect(verdictOf('cat /dev/null')).toBe('allow')
  for (const path of ['stdin', 'fd/0', 'tty', 'null/../sda'])
    expect(verdictOf(`ls | cat /dev/${path}`), path).toBe('ask')
  expect(judgeCommand('cat /etc/passwd', { root: '/', enforced: true }).verdict).toBe('ask')
})

test('PE-4 a line names the folders of which it reads all that is below, those where it runs included', () => {
  const walks = (line: string) => judge(line).reach.walks
  expect(walks('cat a; ls; ls -la b; wc -l *; grep -n x a')).toEqual([])
  expect(walks('grep -rn x; ls -aR; find . -name x; rg x a b')).toEqual(['', '', '.', 'a', 'b'])
  expect(walks('grep --recursive x src/*.ts; tree docs; diff -qr a b')).toEqual([
    'src/*.ts',
    'docs',
    'a',
    'b',
  ])
  expect(walks('cd src && grep -r x')).toEqual(['', 'src/'])
  expect(walks('git grep --untracked x; git ls-files -o')).toEqual(['', ''])
})

test('PE-4 an allowed line names the paths that a link could lead outside', () => {
  expect(judge('cat src/a.ts && head notes/*.md').reach).toMatchObject({
    reads: ['src/a.ts', 'notes/'],
    globs: ['notes/*.md'],
  })
  expect(judge('cd src && cat a.ts').reach.reads).toEqual(['src', 'a.ts', 'src/a.ts'])
  expect(judge('diff -qr a b; diff c d').reach.trees).toEqual(['a', 'b', 'c', 'd'])
  expect(judge('cd a && git status').reach.gitFolders).toEqual(['', 'a/'])
})

test('PE-4 a cd counts for the commands behind it, unless it is in a pipe, in at most 8 folders', () => {
  const reads = (line: string) => judge(line).reach.reads
  expect(reads('cd a; cat x')).toEqual(['a', 'x', 'a/x'])
  expect(reads('cd a | cat; cat x')).toEqual(['a', 'x'])
  expect(reads('ls | cd a; cat x')).toEqual(['a', 'x'])
  expect(verdictOf('cd a; cd b; cd c; cat x')).toBe('allow')
  expect(verdictOf('cd a; cd b; cd c; cd d; cat x')).toBe('ask')
})

test('PE-4 a line that adds to a setting of the system asks, and one that replaces it is denied', () => {
  expect(verdictOf('echo x >> /etc/hosts')).toBe('ask')
  expect(verdictOf('echo x > /etc/hosts')).toBe('deny')
})

test('PE-4 git asks while settings of the repository name programs', () => {
  expect(judgeCommand('git status', { ...facts, gitStartsPrograms: true }).verdict).toBe('ask')
  expect(judgeCommand('ls', { ...facts, gitStartsPrograms: true }).verdict).toBe('allow')
})

test('PE-2 PE-7 patterns are the exact command and, for a program with safe arguments, the same with others; none for several commands', () => {
  expect(judge('npm test').patterns).toEqual(['npm test', 'npm test *'])
  expect(judge('npm run build --watch').patterns).toEqual(['npm run build --watch', 'npm run build *'])
  expect(judge('git push origin main').patterns).toEqual(['git push origin main'])
  expect(judge("mkdir 'a b'").patterns).toEqual(["mkdir 'a b'"])
  expect(judge('python3 -c "print(1)"').patterns).toEqual(["python3 -c 'print(1)'"])
  expect(judge('sudo ls').patterns).toEqual(['sudo ls'])
  expect(judge('rm x').patterns).toEqual(['rm x'])
  expect(judge('./run.sh').patterns).toEqual(['./run.sh'])
  for (const line of [
    'npm test && npm run build',
    'npm test | tee x',
    'echo $(id)',
    'rm *.o',
    "touch '*'",
    'X=1 make > y',
  ])
    expect(judge(line).patterns, line).toEqual([])
})

test('PE-4 hostile input is judged in bounded time, and never allowed', () => {
  const lines = [
    'a'.repeat(1_000_000),
    'ls '.repeat(100_000),
    '('.repeat(19_000),
    '$('.repeat(9_000),
    '`'.repeat(19_000),
    '{'.repeat(19_000),
    '"'.repeat(19_999),
    'if '.repeat(6_000),
    `ls ${'\\\n'.repeat(9_000)}; rm x`,
    'bash -c '.repeat(2_000),
    'sudo '.repeat(3_900),
    'watch ssh '.repeat(1_900),
    'git rebase -x '.repeat(1_400),
    'git bisect run '.repeat(1_300),
    `git submodule foreach '${'git '.repeat(4_000)}'`,
    'find . -exec sudo '.repeat(1_000),
    'find . -exec sudo find . -exec xargs '.repeat(500),
    'env -S '.repeat(2_800),
    `${'GIT_'.repeat(4_900)}=`,
    `sed -n '${' '.repeat(15_000)}x' f`,
    `printf '${'a'.repeat(15_000)}%n' f`,
    'x|'.repeat(9_000),
    'a=1 '.repeat(4_900),
    '<<E '.repeat(4_000),
    '[['.repeat(9_000),
    `ls ${'"$'.repeat(9_000)}`,
  ]
  for (const line of lines) {
    const since = process.cpuUsage()
    expect(verdictOf(line), line.slice(0, 20)).not.toBe('allow')
    // Of the processor, so that a busy machine fails nothing.
    const { user, system } = process.cpuUsage(since)
    expect((user + system) / 1_000, line.slice(0, 20)).toBeLessThan(1_000)
  }
})

const REPOSITORY = resolve(import.meta.dirname, '../../../../..')
const recorded = resolve(
  REPOSITORY,
  process.env['AGENT_FIXTURES'] ?? '../shared/fixtures/agent',
  'bash-commands.jsonl',
)

test.skipIf(!existsSync(recorded))(
  'PE-4 of recorded lines the policy sees every program that bash started',
  () => {
    const rows = readFileSync(recorded, 'utf8').trim().split('\n')
    for (const row of rows) {
      const { command, bash_ran: ran } = JSON.parse(row) as { command: string; bash_ran: string[] }
      const { verdict, commands } = judge(command)
      const unseen = ran.filter((name) => !commands.includes(name))
      if (verdict === 'allow' || !commands.includes('*')) expect(unseen, command).toEqual([])
    }
  },
)
