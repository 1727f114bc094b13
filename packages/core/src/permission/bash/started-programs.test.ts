import { DAILY_WORK } from '@palimpsest/testing/bash/daily-work.ts'
import { expect, test } from 'vitest'
import { judgeCommand } from './judge-command.ts'

const judged = (line: string) => judgeCommand(line, { root: '/w/project' })

/** Lines that destroy by a program that another starts, or by words that come from elsewhere in the line. */
const DESTROYING = [
  "env -S 'rm -rf /'",
  "env -S'rm -rf /'",
  "env -iS 'rm -rf ~'",
  "env --split-string='rm -rf /'",
  "env --split-string 'rm -rf /etc'",
  'env -S "rm -rf" /',
  String.raw`env -S 'rm\_-rf\_/'`,
  'env A=b -S \'bash -c "rm -rf /"\'',
  "env -S '-i rm -rf /'",
  'echo / | { xargs rm -rf; }',
  'echo / | (cd a; xargs rm -rf)',
  'xargs -a <(echo /) rm -rf',
  String.raw`printf "\x72\x6d -rf /" | sh`,
  String.raw`printf '\162\155 -rf \057' | sh`,
  'vim +"!rm -rf /"',
  'flatpak-spawn --host rm -rf /',
  'echo / | xargs rm -rf',
  'echo -n / | xargs rm -rf',
  "printf '%s\\n' / | xargs rm -rf",
  "printf '/\\0' | xargs -0 rm -rf",
  'printf / | xargs -I{} rm -rf {}',
  'echo / | xargs -I % sh -c "rm -rf %"',
  'echo / | xargs -n1 -P4 rm -rf',
  'echo / | cat | xargs rm -rf',
  'echo / | tr a b | xargs rm -rf',
  'echo / | sudo xargs rm -rf',
  'echo -rf / | xargs rm',
  'echo rm -rf / | xargs env',
  'echo "rm -rf /" | xargs -I{} bash -c {}',
  'xargs rm -rf <<< /',
  'xargs rm -rf <<E\n/etc\nE',
  'xargs rm -rf < <(echo /)',
  'echo / | parallel rm -rf',
  'find / | xargs rm -rf',
  'find . -print0 | xargs -0 rm',
  'npx rm -rf /',
  'npx -y rm -rf /',
  'npx -p rimraf rm -rf /',
  "npx -c 'rm -rf /'",
  "npx --call='rm -rf /'",
  'npx -- shutdown now',
  'npx shutdown@1.0.0',
  'bunx rm -rf /',
  'npm exec -- rm -rf /',
  'npm x -y rm -rf /',
  "npm exec -c 'rm -rf /'",
  'pnpm dlx rm -rf /',
  'pnpm exec rm -rf /',
  'pnpm --filter a exec rm -rf /',
  'pnpm -r exec rm -rf .git',
  'yarn dlx rm -rf /',
  'yarn exec rm -rf /',
  'corepack pnpm exec rm -rf /',
  'perf stat rm -rf /',
  'perf record -g -o p.data -- rm -rf /',
  'perf stat -e cycles shutdown',
  'gdb --args rm -rf /',
  "gdb -ex 'shell rm -rf /'",
  "gdb -batch -ex '!rm -rf /' a.out",
  'valgrind -q rm -rf /',
  'valgrind --leak-check=full rm -rf /',
  'uv run rm -rf /',
  'uvx --with a rm -rf /',
  'poetry run rm -rf /',
  'conda run -n base rm -rf /',
  'bundle exec rm -rf /',
  'direnv exec . rm -rf /',
  'gosu root rm -rf /',
  'mise exec -- rm -rf /',
  "nix-shell --run 'rm -rf /'",
  'nix develop -c rm -rf /',
  'cross-env A=b rm -rf /',
  "concurrently 'rm -rf /' 'sleep 1'",
  "hyperfine 'rm -rf /'",
  "nodemon --exec 'rm -rf /'",
  "tmux new -d 'rm -rf /'",
  'tmux new-session -s a rm -rf /',
  "fd -x rm -rf / ';'",
  "tar xf a.tar --to-command='rm -rf /'",
  "tar cf a.tar a --checkpoint=1 --checkpoint-action=exec='rm -rf /'",
  "tar -I 'rm -rf /' -xf a",
  "rsync -e 'rm -rf /' a b:",
  "vim -c '!rm -rf /'",
  'sudo npx rm -rf /',
  'npx sudo rm -rf /',
  'xvfb-run -a perf stat gosu root rm -rf /',
  'cat <<E | sh\nrm -rf /\nE',
  "cat <<'E' | bash\nrm -rf /\nE",
  'cat <<E | sudo sh\nrm -rf /\nE',
  'cat - <<E | grep -v x | bash -s\nrm -rf /\nE',
  'tee x <<E | sh\nrm -rf /\nE',
  'cat <<< "rm -rf /" | sh',
  '{ echo rm -rf /; } | sh',
  '(echo rm -rf /) | sh',
  'echo rm -rf / | { bash; }',
  'echo rm -rf / | (cd x; sh)',
  'printf "%s" "rm -rf /" | sh',
  'echo -n "rm -rf /" | sh',
  'printf "rm -rf %s" / | sh',
  'bash <(echo rm -rf /)',
  'sh < <(echo rm -rf /)',
  'source <(echo "rm -rf /")',
  '. <(printf "rm -rf /")',
  'bash <(cat <<E\nrm -rf /\nE\n)',
  'bash /dev/stdin <<E\nrm -rf /\nE',
  'sh /dev/fd/0 <<< "rm -rf /"',
  'source /dev/stdin <<< "rm -rf /"',
  'echo "rm -rf /" | source /dev/stdin',
  'echo "rm -rf /" | . /dev/stdin',
  'bash -c "$(echo rm -rf /)"',
  'bash -c "$(cat <<E\nrm -rf /\nE\n)"',
  'eval "$(printf "rm -rf /")"',
  'eval $(echo rm -rf /)',
  '$(echo rm) -rf /',
  '$(echo rm -rf /)',
]

test.for(DESTROYING)('PE-4 what destroys is denied by whatever program of the line starts it: %s', (line) => {
  expect(judged(line).verdict).toBe('deny')
})

/** Work in which the name of a program that destroys is no program. */
const HARMLESS = [
  'npx vitest run shutdown',
  'npx -y vitest run shutdown',
  'npx jest reboot.test.ts -t shutdown',
  'pnpm vitest run shutdown',
  'pnpm exec vitest run shutdown',
  'pnpm test shutdown',
  'pnpm add shutdown',
  'pnpm rm shutdown',
  'npm run shutdown',
  'npm install shutdown',
  'yarn workspace a shutdown',
  'uv run pytest -k shutdown',
  'poetry run pytest tests/shutdown',
  'perf stat ./a.out shutdown',
  'perf record -o shutdown ./a.out',
  'gdb ./shutdown',
  'gdb --args ./a.out shutdown',
  "gdb -ex 'break shutdown' a.out",
  'grep -rl foo . | xargs grep -l shutdown',
  'git ls-files | xargs grep -n reboot',
  'echo shutdown | xargs grep -rn',
  'echo shutdown | grep shut',
  'echo src | xargs rm -rf',
  "find . -name '*.o' | xargs rm -f",
  'find build -type f -print0 | xargs -0 rm',
  'cat <<E > notes.md\nshutdown\nE',
  'cat <<E | grep -c x\nrm -rf /\nE',
  "env -S 'npm test shutdown'",
  'env NODE_ENV=test npx vitest shutdown',
  'diff <(echo shutdown) <(cat a)',
  'echo "$(echo shutdown)"',
  'tar czf reboot.tgz src',
  'tar -I zstd -xf a.tar shutdown',
  'vim -c "set nu" shutdown.c',
  'rsync -a shutdown/ b/',
  'bundle exec rspec spec/shutdown_spec.rb',
  'tmux new -s shutdown',
  'fd shutdown -x wc -l',
  'nix-shell -p shutdown',
]

test.for(HARMLESS)('PE-4 a word in no position of a program is none: %s', (line) => {
  const { verdict, mayDestroy } = judged(line)
  expect([verdict, mayDestroy]).toEqual([expect.stringMatching(/allow|ask/), false])
})

test('PE-4 nothing of a thousand lines of daily work is denied, and none may destroy', () => {
  const found = DAILY_WORK.filter((line) => judged(line).verdict === 'deny' || judged(line).mayDestroy)
  expect(found).toEqual([])
})

test.for([
  ['npx --odd rm -rf /', ['rm -rf /', '-rf /']],
  ['perf stat --odd x rm -rf /', ['x rm -rf /', 'rm -rf /']],
  ['pnpm shutdown now', ['shutdown now']],
  ['uv run --odd a shutdown', ['a shutdown', 'shutdown']],
])(
  'PE-4 where the words do not show which program is started, each that may be is possible: %s',
  ([line]) => {
    const { verdict, mayDestroy, possible } = judged(line as string)
    expect([verdict, mayDestroy]).toEqual(['ask', true])
    expect(possible.length).toBeGreaterThan(0)
  },
)

test('PE-4 words that are not shown extend a command, and those that are shown are among its own', () => {
  expect(judged('cat names | xargs git push').extended).toEqual(['git push'])
  expect(judged('cat names | xargs -n 1 sudo rm -f').extended).toEqual(['sudo rm -f'])
  expect(judged('echo origin | xargs git push')).toMatchObject({ extended: [] })
  expect(judged('echo origin | xargs git push').inner).toContain('git push origin')
  expect(judged('echo nigiro | rev | xargs git push').extended).toEqual(['git push'])
})

test('PE-4 lines of very many programs that start programs are judged in bounded time', () => {
  const started = performance.now()
  for (const line of [
    'sudo npx '.repeat(2_000),
    'echo a | xargs npx '.repeat(900),
    '$(echo a) '.repeat(1_900),
    'bash <(echo '.repeat(50) + ')'.repeat(50),
    `echo ${'a '.repeat(5_000)} | xargs -I{} sh -c "{} {} {} {} {} {} {} {}"`,
  ])
    expect(judged(line).verdict).not.toBe('allow')
  expect(performance.now() - started).toBeLessThan(3_000)
})
