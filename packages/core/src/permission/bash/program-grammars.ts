/** How a program that starts another one is called: what stands before the position of that program. */
export type Grammar = {
  /** Words of which one stands before it, after options; none: the program itself is enough. */
  verbs?: readonly string[]
  /** Options whose value is the next word, or right behind a letter. */
  valued: ReadonlySet<string>
  /** Options without a value. Any other may have one. */
  flags: ReadonlySet<string>
  /** Options whose value is a script. */
  scripts: ReadonlySet<string>
  /** Arguments that stand before the program. */
  before: number
  /** The program stands behind this option alone. */
  behind?: string
}

type Words = Partial<Record<'verbs' | 'valued' | 'flags' | 'scripts', string>> & {
  before?: number
  behind?: string
}

const words = (text = '') => text.split(' ').filter((word) => word !== '')

function grammar({ verbs, valued, flags, scripts, before = 0, behind }: Words): Grammar {
  return {
    ...(verbs !== undefined && { verbs: words(verbs) }),
    ...(behind !== undefined && { behind }),
    valued: new Set(words(valued)),
    flags: new Set(words(flags)),
    scripts: new Set(words(scripts)),
    before,
  }
}

const PACKAGES = {
  valued:
    '-p --package -w --workspace --registry --userconfig --cache --node-arg --shell --filter -F -C --dir',
  flags:
    '-y --yes --no --no-install -q --quiet --silent -s --ignore-existing --prefer-offline --offline --bun -r --recursive --workspaces -ws --parallel --verbose -v',
}
/** Of a program that starts nothing but what its options name. */
export const NONE = Number.POSITIVE_INFINITY
const PERF =
  '-e -F -c -o -p -t -C -r -I -D -x --event --freq --count --output --pid --tid --cpu --repeat --interval-print --delay --call-graph --field-separator --timeout --sort'
const PYTHON = {
  valued:
    '-p --python --with --with-editable --with-requirements --env-file --extra --group --package --project --directory --from --index-url -n --name --cwd -e --env -v',
  flags:
    '-q --quiet --isolated --frozen --locked --no-sync --no-project --active --offline --no-dev --all-extras --no-capture-output --live-stream -s',
}
const RUN = grammar({ verbs: 'run exec x', valued: '-C -n -e', flags: '-q --quiet' })

/** Programs that start one whose place among their arguments is certain. */
export const GRAMMARS: ReadonlyMap<string, readonly Grammar[]> = new Map<string, readonly Grammar[]>([
  ...['npx', 'bunx', 'pnpx'].map((name) => [name, [grammar({ ...PACKAGES, scripts: '-c --call' })]] as const),
  ['npm', [grammar({ ...PACKAGES, verbs: 'exec x', scripts: '-c --call' })]],
  ['pnpm', [grammar({ ...PACKAGES, verbs: 'dlx exec' })]],
  ['yarn', [grammar({ ...PACKAGES, verbs: 'dlx exec' })]],
  ['bun', [grammar({ ...PACKAGES, verbs: 'x' }), grammar({ ...PACKAGES, verbs: 'exec' })]],
  [
    'lerna',
    [grammar({ verbs: 'exec', valued: '--scope --ignore --concurrency', flags: '--stream --parallel' })],
  ],
  ['corepack', [grammar({})]],
  [
    'perf',
    [grammar({ verbs: 'stat record trace top', valued: PERF, flags: '-a -g -d -dd -v -q -n -s -S -i' })],
  ],
  ['valgrind', [grammar({ flags: '-v -q --verbose --quiet' })]],
  ['gdb', [grammar({ behind: '--args' })]],
  ['lldb', [grammar({ behind: '--' })]],
  ...['heaptrack', 'catchsegv', 'eatmydata', 'torsocks', 'dbus-run-session'].map(
    (name) => [name, [grammar({})]] as const,
  ),
  ...['proxychains', 'proxychains4'].map((name) => [name, [grammar({ valued: '-f', flags: '-q' })]] as const),
  ['rr', [grammar({ verbs: 'record', valued: '-o -c -s', flags: '-n -w -h --chaos' })]],
  ['uv', [grammar({ ...PYTHON, verbs: 'run' }), grammar({ ...PYTHON, verbs: 'tool', before: 1 })]],
  ['uvx', [grammar(PYTHON)]],
  ...['poetry', 'pipenv', 'pdm', 'hatch', 'rye', 'conda', 'mamba', 'micromamba', 'pipx'].map(
    (name) => [name, [grammar({ ...PYTHON, verbs: 'run' })]] as const,
  ),
  ...['bundle', 'rbenv', 'pyenv', 'nodenv', 'asdf', 'fnm', 'volta'].map((name) => [name, [RUN]] as const),
  ['mise', [grammar({ verbs: 'exec x', valued: '-C -j', scripts: '-c --command' })]],
  ['direnv', [grammar({ verbs: 'exec', before: 1 })]],
  ...['gosu', 'su-exec', 'faketime', 'chpst'].map((name) => [name, [grammar({ before: 1 })]] as const),
  ['setpriv', [grammar({ valued: '--reuid --regid --groups --inh-caps --ambient-caps --bounding-set' })]],
  [
    'xvfb-run',
    [grammar({ valued: '-n -s -e -f -p -w --server-num --server-args', flags: '-a -l --auto-servernum' })],
  ],
  ...['prlimit', 'numactl', 'cpulimit', 'daemonize', 'trickle'].map(
    (name) => [name, [grammar({ valued: '-n -s -e -f -a -d -u -l -c -o -p', flags: '-v' })]] as const,
  ),
  ...['cross-env', 'dotenv', 'env-cmd'].map(
    (name) => [name, [grammar({ valued: '-e -f --file', flags: '-o --silent' })]] as const,
  ),
  ...['cross-env-shell', 'concurrently', 'hyperfine', 'watchexec', 'npm-run-all'].map(
    (name) =>
      [
        name,
        [grammar({ valued: '-n --names -c --prefix -w -r -e --warmup --runs --exts', flags: '-k' })],
      ] as const,
  ),
  ['nodemon', [grammar({ valued: '-w --watch -e --ext -i --ignore', scripts: '-x --exec' })]],
  ...['nix-shell', 'nix'].map(
    (name) => [name, [grammar({ scripts: '--run --command', behind: '-c' })]] as const,
  ),
  ['fd', ['-x', '-X', '--exec', '--exec-batch'].map((behind) => grammar({ behind }))],
  ['flatpak-spawn', [grammar({ flags: '--host --clear-env --watch-bus' })]],
  ['start-stop-daemon', [grammar({ scripts: '-x --exec -a --startas', behind: '--' })]],
  [
    'tmux',
    [
      grammar({
        verbs: 'new new-session new-window neww split-window splitw run run-shell',
        valued: '-s -n -c -t -x -y -e -F',
        flags: '-d -A -D -P -h -v -b',
      }),
    ],
  ],
  ['screen', [grammar({ valued: '-S -c -t -s -p', flags: '-d -m -dm -D -dmS -L' })]],
  // Options of programs that start nothing else.
  [
    'tar',
    [
      grammar({
        scripts: '--to-command --checkpoint-action -I --use-compress-program --rsh-command',
        before: NONE,
      }),
    ],
  ],
  ['rg', [grammar({ scripts: '--pre', before: NONE })]],
  ['sort', [grammar({ scripts: '--compress-program', before: NONE })]],
  ['rsync', [grammar({ scripts: '-e --rsh --rsync-path', before: NONE })]],
  ...['vim', 'vi', 'nvim', 'ex'].map(
    (name) => [name, [grammar({ scripts: '-c --cmd', before: NONE })]] as const,
  ),
  ['man', [grammar({ scripts: '-P --pager', before: NONE })]],
  ['zip', [grammar({ scripts: '-TT --unzip-command', before: NONE })]],
])

/** Commands that only change how the one behind their options runs. */
export const PREFIXES: ReadonlyMap<string, Grammar> = new Map([
  [
    'env',
    grammar({ valued: '-u --unset -C --chdir', flags: '-i - -0 -v --ignore-environment --null --debug' }),
  ],
  [
    'timeout',
    grammar({
      valued: '-s --signal -k --kill-after',
      flags: '-v --foreground --preserve-status --verbose',
      before: 1,
    }),
  ],
  ['nice', grammar({ valued: '-n --adjustment' })],
  ['ionice', grammar({ valued: '-c -n --class --classdata', flags: '-t --ignore' })],
  ['nohup', grammar({})],
  ['setsid', grammar({ flags: '-c -f -w --ctty --fork --wait' })],
  ['stdbuf', grammar({ valued: '-i -o -e --input --output --error' })],
  [
    'time',
    grammar({ valued: '-f -o --format --output', flags: '-a -p -v --append --portability --verbose' }),
  ],
  [
    'sudo',
    grammar({
      valued: '-u -g -h -p -C -T -r -t -D -R --user --group --host --prompt --chdir',
      flags: '-A -b -E -H -n -P -S -k --preserve-env --non-interactive --set-home',
    }),
  ],
])

/** Subcommands of package managers; any other word is a script of the project, or a program that a package brings. */
export const MANAGERS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  (
    [
      [
        'pnpm',
        'add install i ci update up upgrade remove rm uninstall un link ln unlink import rebuild rb prune fetch list ls ll la outdated why audit licenses run run-script test t tst start stop publish pack root bin store server config c get set create init deploy patch patch-commit setup env self-update dedupe approve-builds cache cat-file doctor exec dlx help',
      ],
      [
        'yarn',
        'add install remove upgrade up run test start build publish pack link unlink list outdated why audit init create config cache check import info licenses login node npm plugin rebuild set stage version workspace workspaces constraints dedupe explain search exec dlx bin help',
      ],
    ] as const
  ).map(([name, verbs]) => [name, new Set(verbs.split(' '))]),
)
