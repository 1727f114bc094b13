import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * The first address that a process prints. Rejects when it exits before that, or takes longer than `patienceMs`, with its
 * stderr where that is piped.
 */
export async function untilItListens(child: ChildProcess, name: string, patienceMs: number): Promise<string> {
  if (child.stdout === null) throw new Error('A piped output is never null')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const url = /http:\/\/[^\s"]+/.exec(line)?.[0]
    if (url !== undefined) resolve(url)
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (more: string) => {
    said += more
  })
  const fail = (what: string) => reject(new Error([`${name} ${what}`, said.trim()].join('\n').trim()))
  child.once('error', reject)
  child.once('close', (code) => fail(`ended with code ${code} before it listened`))
  const timer = setTimeout(fail, patienceMs, 'does not listen')
  return await promise.finally(() => clearTimeout(timer))
}
