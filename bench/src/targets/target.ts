import type { Child } from '../processes/child.ts'
import type { Script } from '../script.ts'

/** One of those that are compared. */
export type Target = AsyncDisposable & {
  readonly name: 'bare' | 'ours' | 'peer'
  readonly server: Child
  /** Makes ready what a person has before they write: nothing of it is measured. */
  open(): Promise<Conversation>
}

export type Conversation = {
  /** Sends a message and hands over the reply's text as it arrives. Resolves when the reply has ended. */
  ask(script: Script, onText: (text: string) => void): Promise<void>
  close(): Promise<void>
}

/** Hands over the text of one chunk as it was sent. Throws for a chunk that reports an error. */
export function readSent(chunk: unknown, onText: (text: string) => void): void {
  // The wire format of the AI SDK's UI message stream.
  const { type, delta = '', errorText } = chunk as { type: string; delta?: string; errorText?: string }
  if (type === 'text-delta') onText(delta)
  if (type === 'error') throw new Error(errorText)
}
