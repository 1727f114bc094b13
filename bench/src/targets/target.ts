import type { Child } from '../processes/child.ts'
import type { Script } from '../script.ts'

/** One of the programs that are compared. */
export type Target = AsyncDisposable & {
  readonly name: 'bare' | 'former' | 'ours' | 'peer'
  readonly server: Child
  /** Sets up everything that exists before a message is sent: none of it is measured. */
  open(): Promise<Conversation>
}

export type Conversation = {
  /** Sends a message and reports the reply's text as it arrives. Resolves when the reply has ended. */
  ask(script: Script, onText: (text: string) => void): Promise<void>
  close(): Promise<void>
}

/** Reports the text of one chunk. Throws for a chunk that reports an error. */
export function readSent(chunk: unknown, onText: (text: string) => void): void {
  // The wire format of the AI SDK's UI message stream.
  const { type, delta = '', errorText } = chunk as { type: string; delta?: string; errorText?: string }
  if (type === 'text-delta') onText(delta)
  if (type === 'error') throw new Error(errorText)
}
