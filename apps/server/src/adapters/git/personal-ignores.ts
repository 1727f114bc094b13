import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { runGit } from './run-git.ts'

/**
 * Returns the path of the file of ignore rules that a person has for all of their repositories: the one that their own settings
 * name, else git's usual one. The file need not exist.
 */
export async function personalIgnores(): Promise<string> {
  const home = process.env['HOME'] ?? homedir()
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'],
    GIT_CONFIG_GLOBAL: process.env['GIT_CONFIG_GLOBAL'],
  }
  // Not in the workspace: only the person's own settings are asked.
  const args = ['config', '--global', '--type=path', '--get', 'core.excludesFile']
  const answer = await runGit(args, { cwd: '/', env }).catch(() => '')
  const named = answer.replace(/\n$/, '')
  if (named !== '') return resolve(home, named)
  return join(process.env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'git', 'ignore')
}
