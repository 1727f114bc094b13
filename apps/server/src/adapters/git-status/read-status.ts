import { realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import type { Clock } from '@palimpsest/core/ports'
import { findRepository, type Repository } from '../git/find-repository.ts'
import { createGitShell, type GitAnswer, type GitShell } from '../git/git-shell.ts'
import { personalIgnores } from '../git/personal-ignores.ts'
import { isInside } from '../workspaces.ts'
import { createViews } from './kept-views.ts'
import { createSettingsReader } from './read-settings.ts'
import { nameTop } from './repository-view.ts'

/** Milliseconds that one status may take. */
const TIMEOUT_MS = 1000

/** The exit code of git where it finds no repository that it can use. */
const NO_REPOSITORY: GitAnswer = { code: 128, text: '' }

export type StatusReader = { status(folder: string): Promise<GitAnswer> }

/** Reads the git status of folders, but of these paths. Outside a repository git is not started. Never rejects. */
export function createStatusReader(
  { clock, without }: { clock: Clock; without: readonly string[] },
  shell?: GitShell,
): StatusReader {
  const git = shell ?? createGitShell({ clock })
  const ignores = personalIgnores()
  const readSettings = createSettingsReader()
  const views = createViews(clock)

  async function statusIn(repository: Repository, folder: string): Promise<GitAnswer> {
    const begun = clock.elapsed()
    const file = `${repository.commonDir}/config`
    const settings = await readSettings(file, (args) => git.run(args, TIMEOUT_MS))
    if ('failed' in settings) return settings.failed
    if (!nameTop(repository, settings)) return NO_REPOSITORY
    await using view = await views.open(repository, settings)
    return await git.run(
      [
        ...['-C', folder, `--git-dir=${view.path}`, `--work-tree=${repository.top}`],
        ...['-c', `core.excludesFile=${await ignores}`],
        ...['status', '--short', '--branch', '--ignore-submodules=all'],
        ...exclusions(repository.top, without),
      ],
      TIMEOUT_MS - (clock.elapsed() - begun),
    )
  }

  return {
    async status(folder) {
      try {
        const real = await realpath(folder)
        const repository = await findRepository(real)
        if (repository === null || repository === 'unusable') return NO_REPOSITORY
        return await statusIn(repository, real)
      } catch {
        return NO_REPOSITORY
      }
    },
  }
}

/** The arguments that leave these paths out of what git lists; none where no path is in the work tree. */
function exclusions(top: string, without: readonly string[]): string[] {
  const inside = without.filter((path) => path !== top && isInside(top, path))
  const outermost = inside.filter((path) => !inside.some((above) => above !== path && isInside(above, path)))
  const named = outermost.map((path) => `:(top,exclude,literal)${relative(top, path).split(sep).join('/')}`)
  return named.length === 0 ? [] : ['--', ':(top)', ...named]
}
