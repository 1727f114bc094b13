import { blobHash, type FilePart, fileBytes } from '@palimpsest/core/domain'
import { useState } from 'react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { LongText } from './long-text.tsx'

/** Bytes of a whole result that are shown in the page; the file has all of it. */
const SHOWN_BYTES = 2_000_000

type State = 'closed' | 'loading' | 'failed' | { text: string }

export type WholeOutputProps = {
  file: FilePart
  /** The text as it is shown, such as without the sequences of a terminal. */
  toShown: (text: string) => string
}

/** All of a result of which the row has only the head: read when a person asks for it, and saved as a file. */
export function WholeOutput({ file, toShown }: WholeOutputProps) {
  const { tool } = useMessages()
  const format = useFormat()
  const [state, setState] = useState<State>('closed')
  if (blobHash(file.url) === null) return null
  const bytes = fileBytes(file) ?? 0
  const size = format.bytes(bytes)

  async function load(): Promise<void> {
    setState('loading')
    try {
      const range = bytes > SHOWN_BYTES ? { headers: { range: `bytes=0-${SHOWN_BYTES - 1}` } } : {}
      const response = await fetch(file.url, range)
      if (!response.ok) throw new Error(response.statusText)
      // As a stream it leaves out a character that the cut goes through.
      const text = new TextDecoder().decode(await response.arrayBuffer(), { stream: true })
      setState({ text: toShown(text) })
    } catch {
      setState('failed')
    }
  }

  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {typeof state === 'string' && (
          <Button small onClick={() => void load()} disabled={state === 'loading'}>
            {bytes > SHOWN_BYTES ? tool.showFirst(format.bytes(SHOWN_BYTES)) : tool.showAll(size)}
          </Button>
        )}
        <a
          href={file.url}
          download={file.filename ?? 'output.txt'}
          className="text-xs text-muted underline hover:text-ink"
        >
          {tool.saveAll(size)}
        </a>
      </div>
      {state === 'failed' && (
        <p role="alert" className="text-danger text-xs">
          {tool.wholeFailed}
        </p>
      )}
      {typeof state === 'object' && <LongText label={tool.wholeResult} text={state.text} />}
    </div>
  )
}
