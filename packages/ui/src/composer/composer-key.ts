/** How a message is sent: now, after the run, into the run at its next step, or after interrupting it. */
export type SendMode = 'send' | 'queue' | 'steer' | 'interrupt'

/** The key that sends; with `mod+enter` Enter breaks the line. */
export type SendKey = 'enter' | 'mod+enter'

export type ComposerKeyAction =
  | { type: 'send'; mode: SendMode }
  | { type: 'stop' }
  | { type: 'recall' }
  | null

export type KeyFacts = {
  key: string
  shift: boolean
  /** ⌘ or Ctrl. */
  mod: boolean
  /** True while an input method composes: its Enter chooses a word. */
  composing: boolean
  running: boolean
  /** True without text and attachments. */
  empty: boolean
  /** True on screens for fingers, where Enter breaks the line. */
  touch: boolean
  sendKey: SendKey
}

/** What a key means in the composer; null leaves it to the field. */
export function composerKey(facts: KeyFacts): ComposerKeyAction {
  const { key, composing, running, empty } = facts
  if (composing) return null
  if (key === 'Escape') return running ? { type: 'stop' } : null
  if (key === 'ArrowUp') return empty ? { type: 'recall' } : null
  if (key !== 'Enter') return null
  const mode = enterMode(facts)
  return mode && { type: 'send', mode }
}

function enterMode(facts: KeyFacts): SendMode | null {
  const { shift, mod, running, touch, sendKey } = facts
  if (sendKey === 'mod+enter') return modEnterMode(facts)
  if (mod && shift) return running ? 'interrupt' : 'send'
  if (mod) return running ? 'steer' : 'send'
  if (shift || touch) return null
  return running ? 'queue' : 'send'
}

/** Where Enter breaks the line; to interrupt, a queued message is sent now. */
function modEnterMode({ shift, mod, running }: KeyFacts): SendMode | null {
  if (!mod) return null
  if (!running) return 'send'
  return shift ? 'steer' : 'queue'
}
