import { createTwoFilesPatch } from 'diff'
import type { FileChange } from './file-change.ts'

/** Characters of the longest diff that is kept and shown. */
const MAX_CHARACTERS = 100_000

/** A diff that takes longer, or has more changed lines, shows what is between the equal start and end of both texts. */
export const DIFF_BOUNDS = { timeout: 300, maxEditLength: 4_000 }

/** Equal lines around each change. */
export const CONTEXT_LINES = 3

/** The change of a file from one text to another; `before` is null for a new file. */
export function diffFiles(path: string, before: string | null, after: string): FileChange {
  const old = before ?? ''
  const [from, to] = [before === null ? '/dev/null' : `a/${path}`, `b/${path}`]
  const options = { context: CONTEXT_LINES, ...DIFF_BOUNDS }
  const whole =
    createTwoFilesPatch(from, to, old, after, undefined, undefined, options) ?? coarse(from, to, old, after)
  // Before the names there is a line that only separates files.
  const diff = whole.slice(whole.indexOf('--- '))
  const lines = diff.split('\n').slice(2)
  return {
    path,
    diff: diff.slice(0, MAX_CHARACTERS).toWellFormed(),
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    ...(before === null && { created: true }),
    ...(diff.length > MAX_CHARACTERS && { truncated: true }),
  }
}

/** All of a diff, as programs apply it: neither cut off nor without lines around a change. Too different texts replace each other. */
export function patchDiff(path: string, before: string | null, after: string): string {
  const old = before ?? ''
  const [from, to] = [before === null ? '/dev/null' : `a/${path}`, `b/${path}`]
  const options = { context: CONTEXT_LINES, ...DIFF_BOUNDS }
  const diff = createTwoFilesPatch(from, to, old, after, undefined, undefined, options)
  if (diff !== undefined) return diff.slice(diff.indexOf('--- '))
  const [removed, added] = [markedLines('-', old), markedLines('+', after)]
  const range = (text: string, lines: string[]) =>
    `${text === '' ? 0 : 1},${lines.filter((line) => !line.startsWith('\\')).length}`
  const head = `@@ -${range(old, removed)} +${range(after, added)} @@`
  return [`--- ${from}`, `+++ ${to}`, head, ...removed, ...added, ''].join('\n')
}

/** Each line of a text behind a sign, and what says that the last one has no end. */
function markedLines(sign: string, text: string): string[] {
  const lines = text.split('\n')
  const unended = lines.pop()
  const marked = lines.map((line) => `${sign}${line}`)
  return unended === '' || unended === undefined
    ? marked
    : [...marked, `${sign}${unended}`, '\\ No newline at end of file']
}

/** One hunk with all lines between the equal ones at the start and at the end. */
function coarse(from: string, to: string, before: string, after: string): string {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++
  let same = 0
  const most = Math.min(old.length, now.length) - start
  while (same < most && old.at(-1 - same) === now.at(-1 - same)) same++
  const [removed, added] = [old.slice(start, old.length - same), now.slice(start, now.length - same)]
  const hunk = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]
  const head = `@@ -${start + 1},${removed.length} +${start + 1},${added.length} @@`
  return [`--- ${from}`, `+++ ${to}`, head, ...hunk, ''].join('\n')
}
