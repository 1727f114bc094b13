import { isPdf } from '../../domain/files/content-check.ts'
import { sha256 } from '../../domain/values/sha256.ts'
import { diffFiles } from '../../domain/workspace/diff-files.ts'
import type { PlannedChange } from '../../domain/workspace/file-change.ts'
import { decodeText, encodeText, type TextFile } from '../../domain/workspace/text-file.ts'
import { ToolError, type ToolResult, type ToolRuntime } from '../tool.ts'
import { inFiles, rootOf } from './workspace-path.ts'

/** What a change makes of a file's text, which is null for a new file; `note` is for the model. */
export type Change = (before: string | null) => { text: string; note?: string; data?: object }

type Planned = {
  path: string
  before: TextFile | null
  stamp: string | null
  text: string
  note: string | undefined
  data: object
}

/** The change as a person sees it before it is made. */
export async function previewChange(
  path: string,
  change: Change,
  runtime: ToolRuntime,
): Promise<PlannedChange> {
  const { path: real, before, stamp, text } = await plan(path, change, runtime)
  return { ...diffFiles(real, before?.text ?? null, text), stamp }
}

/**
 * Changes a file in one write. Refuses when the file is not what the model has last seen of it, or not what a person saw when
 * they allowed the change.
 */
export async function changeFile(path: string, change: Change, runtime: ToolRuntime): Promise<ToolResult> {
  const planned = await plan(path, change, runtime)
  const { path: real, before, stamp, text, note, data } = planned
  if (runtime.shown !== null && runtime.shown.stamp !== stamp)
    throw new ToolError(
      `${real} has changed since a person allowed this change. Nothing was written: read it again.`,
    )
  const bytes = encodeText(text, before ?? undefined)
  runtime.signal.throwIfAborted()
  await inFiles(runtime.files.write(rootOf(runtime), real, bytes, stamp))
  const made = diffFiles(real, before?.text ?? null, text)
  return {
    text: [before === null ? `Created ${real}.` : `Changed ${real}.`, note, made.diff]
      .filter(Boolean)
      .join('\n'),
    data: { ...data, change: made, path: real, before: stamp, stamp: await sha256(bytes) },
    ...(made.truncated && { truncated: true, outputPath: real }),
  }
}

async function plan(path: string, change: Change, runtime: ToolRuntime): Promise<Planned> {
  const root = rootOf(runtime)
  const real = await inFiles(runtime.files.locate(root, path))
  const bytes = await inFiles(runtime.files.read(root, real))
  const stamp = bytes === null ? null : await sha256(bytes)
  const seen = runtime.seen(real)
  if (seen !== null && seen !== stamp) {
    const what = stamp === null ? 'is gone' : 'was changed by somebody else'
    throw new ToolError(`${real} ${what} since you last read it. Nothing was written: read it again.`)
  }
  if (bytes !== null && isPdf(bytes)) throw new ToolError(`${real} is a PDF. It is left as it is.`)
  const before = bytes === null ? null : decodeText(bytes)
  if (bytes !== null && before === null)
    throw new ToolError(`${real} is binary, or its encoding is not UTF-8 or UTF-16. It is left as it is.`)
  const { text, note, data = {} } = change(before?.text ?? null)
  return { path: real, before, stamp, text: text.toWellFormed(), note, data }
}
