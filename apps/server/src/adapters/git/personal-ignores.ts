import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { runGit } from './run-git.ts'

/**
 * Returns the path of the user's file of ignore rules for all repositories: the one that the user's settings
 * name, else git's default. The file need not exist.
 */
export async function personalIgnores(): Promise<string> {
  const home = process.env['HOME'] ?? homedir()
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'],
    GIT_CONFIG_GLOBAL: process.env['GIT_CONFIG_GLOBAL'],
  }
  // Not run in the workspace: only the user's own settings are read.
  const args = ['config', '--global', '--type=path', '--get', 'core.excludesFile']
  const answer = await runGit(args, { cwd: '/', env }).catch(() => '')
  const named = answer.replace(/\n$/, '')
  if (named !== '') return resolve(home, named)
  return join(process.env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'git', 'ignore')
}
