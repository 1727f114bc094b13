import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import type { SandboxInfo, WorkspaceReach } from '@palimpsest/core/ports'
import { readingVariables, requireCommand } from '@palimpsest/testing'
import { rgPath } from '@vscode/ripgrep'
import { inspectWorkspace } from '../adapters/bash/inspect-workspace.ts'
import { NO_GUARD } from './nothing-protected.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** What a line did beside reading the workspace. */
export type Breach = { line: string; did: string }

/** The bytes of the file outside, and what programs make of them: reversed, in other bases, in a sum. */
const CANARY = 'QJXZ'.repeat(16)
const SECRET = `${CANARY}\n`
const DIGESTS = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'].map((name) =>
  createHash(name).update(SECRET).digest('hex'),
)
const TRACES = [
  ...['QJXZ', 'ZXJQ', 'qjxz', 'UUpYW', 'Q   J   X', '514a585a', '514a 585a', '51 4a 58', '4a51 5a58'],
  ...['121 112 130', '045121 055130', ...DIGESTS],
]

/** A folder with names that look like options, links to outside, and lists of names outside. */
const FILES: Readonly<Record<string, string>> = {
  'a.txt': 'one two\nthree\tfour\n1 2 3\n',
  'b.txt': 'one\nthree four\n',
  '1b': '1\n2\n',
  '1c': 'x\n',
  x1: '/one/ { print }\n',
  x2: 'two\n',
  'a b': 'blank\n',
  '-R': 'dash\n',
  '-oout': 'dash\n',
  '-n': 'dash\n',
  '--output=x': 'dash\n',
  '--files0-from=list0': 'dash\n',
  list: '../outside/secret.txt\n',
  list0: '../outside/secret.txt\0',
  // In capitals, so that it is no trace.
  sums: `${createHash('sha256').update(SECRET).digest('hex').toUpperCase()}  ../outside/secret.txt\n`,
  'n.json': '{"a":{"b":[1,2]},"env":1}\n',
  'dir/secret.txt': 'own\n',
  'dir/sub/c.ts': 'three\n',
  '.gitattributes': '* diff=evil filter=evil\n',
}
const LINKS: Readonly<Record<string, string>> = {
  up: '..',
  out: '../outside/secret.txt',
  away: '../outside',
  'dir/away': '../../outside',
  inner: 'dir',
}

/**
 * A workspace beside a file that nothing may read, with a repository, and a PATH in which the named programs are the real ones and all
 * others log their start.
 */
export async function openReadingLab(programs: Iterable<string>) {
  const folder = await temporaryFolder()
  const path = realpathSync(folder.path)
  const root = join(path, 'w')
  const home = join(path, 'home')
  const started = join(path, 'started')
  const bin = join(path, 'bin')
  for (const name of ['w/dir/sub', 'outside', 'home', 'bin', 'tmp'])
    mkdirSync(join(path, name), { recursive: true })
  writeFileSync(join(path, 'outside/secret.txt'), SECRET)
  const stub = join(path, 'stub')
  writeFileSync(stub, `#!/bin/sh\necho "$0" >>${started}\n`)
  chmodSync(stub, 0o755)
  const present = fillPath(bin, stub, new Set(programs))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(root, name), text)
  makeRepository(root, home, stub)
  for (const [name, target] of Object.entries(LINKS)) symlinkSync(target, join(root, name))
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: 'test',
    // No line prints its environment.
    SECRET: CANARY,
    PATH: bin,
    HOME: home,
    TMPDIR: join(path, 'tmp'),
    LC_ALL: 'C.UTF-8',
    PAGER: 'cat',
  }
  let before = snapshot(path)

  function run(lines: readonly string[], variables: string): string[] {
    const script = join(path, 'script')
    writeFileSync(script, [variables, ...lines.map(asStep)].join('\n'))
    const { stdout, error } = spawnSync('/bin/bash', ['--noprofile', '--norc', script], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 500_000_000,
      timeout: 120_000,
    })
    if (error !== undefined) throw error
    rmSync(script)
    return stdout.toString('latin1').split(MARK).slice(1)
  }

  function breachesOf(lines: readonly string[], variables = exportsOf('git log')): Breach[] {
    const outputs = run(lines, variables)
    const printed = lines.flatMap((line, at) => {
      const trace = TRACES.find((one) => outputs[at]?.includes(one))
      return trace === undefined ? [] : [{ line, did: `printed ${trace}` }]
    })
    const changed = changeSince(before, path)
    before = snapshot(path)
    const other = existsSync(started) ? `started ${readFileSync(started, 'utf8').trim()}` : changed
    rmSync(started, { force: true })
    if (other === null) return printed
    const [line, ...more] = lines
    if (line !== undefined && more.length === 0) return [...printed, { line, did: other }]
    // One of them did it, and does it again.
    const single = lines.flatMap((one) => breachesOf([one], variables))
    return single.length > 0 ? single : [{ line: lines.join('\n'), did: other }]
  }

  return {
    present,
    /** Whether a line runs unasked here. */
    async isUnasked(line: string, kind: SandboxInfo['kind']): Promise<boolean> {
      const inspect = (at: string, reach: WorkspaceReach) => inspectWorkspace(at, reach, NO_GUARD)
      const shell = { sandbox: { kind }, inspect }
      const requirements = await requireCommand(line, root, shell)
      return requirements.every(({ permission, readOnly }) => permission === 'read' || readOnly === true)
    },
    /** Runs lines and returns what they did beside reading. */
    breachesOf: (lines: readonly string[]) => breachesOf(lines),
    /** The same without the variables of lines that read. */
    breachesAsUsual: (lines: readonly string[]) => breachesOf(lines, 'git_variables() { :; }'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

const MARK = '\n@@line@@\n'

/** A line in a shell of its own, with the variables of lines that read. */
function asStep(line: string): string {
  const reads = Object.keys(readingVariables(line)).length > 0
  return `printf '\\n@@line@@\\n'; (${reads ? 'git_variables' : ''}\n${line}\n) 2>&1 </dev/null`
}

function exportsOf(line: string): string {
  const pairs = Object.entries(readingVariables(line)).map(([name, value]) => `${name}='${value}'`)
  return `git_variables() { export ${pairs.join(' ')}; }`
}

/** Links the named programs into a folder, and puts the stub in the place of each other. Returns those that are installed. */
function fillPath(bin: string, stub: string, programs: ReadonlySet<string>): Set<string> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(existsSync)
  const installed = new Map(
    folders
      .toReversed()
      .flatMap((folder) => readdirSync(folder).map((name) => [name, join(folder, name)] as const)),
  )
  if (programs.has('rg')) installed.set('rg', rgPath)
  for (const [name, target] of installed) symlinkSync(programs.has(name) ? target : stub, join(bin, name))
  return new Set(installed.keys())
}

const AS_ALWAYS = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
}

/** A repository with a change, an index that is older than the files, hooks and drivers in the person's settings. */
function makeRepository(root: string, home: string, stub: string): void {
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.example', ...args], {
      cwd: root,
      env: { ...process.env, ...AS_ALWAYS },
    })
  git('init', '--quiet', '-b', 'main')
  git('add', '.')
  git('commit', '--quiet', '-m', 'First')
  git('tag', 'v1')
  writeFileSync(join(root, 'b.txt'), 'changed\n')
  git('stash')
  writeFileSync(join(root, 'b.txt'), 'changed again\n')
  // The same content with another time: git may want to write the index.
  rmSync(join(root, 'a.txt'))
  writeFileSync(join(root, 'a.txt'), FILES['a.txt'] ?? '')
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction', 'post-checkout'])
    symlinkSync(stub, join(root, '.git/hooks', hook))
  writeFileSync(
    join(home, '.gitconfig'),
    `[core]\n\tfsmonitor = ${stub}\n\tpager = ${stub}\n[diff]\n\texternal = ${stub}\n[diff "evil"]\n\ttextconv = ${stub}\n` +
      `\tcommand = ${stub}\n[filter "evil"]\n\tclean = ${stub}\n\tsmudge = ${stub}\n`,
  )
}

/** Each path with what it is; the folder of the PATH is left out. */
function snapshot(path: string): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (name: string) => {
    const full = join(path, name)
    const { mtimeMs, mode, size } = lstatSync(full)
    const isLink = (mode & 0o170000) === 0o120000
    const isFolder = (mode & 0o170000) === 0o040000
    found.set(name, `${mode} ${size} ${mtimeMs} ${isLink ? readlinkSync(full) : ''}`)
    if (isFolder) for (const entry of readdirSync(full)) visit(join(name, entry))
  }
  for (const name of ['w', 'outside', 'home']) visit(name)
  return found
}

/** The first path that is not as it was, null when all are. */
function changeSince(before: ReadonlyMap<string, string>, path: string): string | null {
  const now = snapshot(path)
  const names = [...new Set([...before.keys(), ...now.keys()])]
  const changed = names.find((name) => before.get(name) !== now.get(name))
  return changed === undefined ? null : `changed ${changed}`
}
