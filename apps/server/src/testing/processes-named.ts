import { readdir, readFile } from 'node:fs/promises'

/** Ids of the processes with this word in their command line. */
export async function processesNamed(word: string): Promise<string[]> {
  const all = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const lines = await Promise.all(all.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return all.filter((_, index) => lines[index]?.includes(word))
}
