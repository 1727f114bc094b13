import type { Child } from '../processes/child.ts'
import type { Script } from '../script.ts'

/** One of the two that are compared. */
export type Side = AsyncDisposable & {
  readonly name: 'bare' | 'ours'
  readonly server: Child
  /** Makes ready what a person has before they write: nothing of it is measured. */
  open(): Promise<Conversation>
}

export type Conversation = {
  /** Sends a message and hands over the reply's text as it arrives. Resolves when the reply has ended. */
  ask(script: Script, onText: (text: string) => void): Promise<void>
  close(): Promise<void>
}
