import type { Messages } from '../messages/en.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Kbd } from '../primitives/kbd.tsx'
import type { SendKey } from './composer-key.ts'

export type ComposerHintsProps = {
  running: boolean
  empty: boolean
  commands: boolean
  sendKey: SendKey
  /** True once a person has sent enough to know how: then only the keys of a running reply are said. */
  known?: boolean
}

/** The keys that do something now, and no others. Fingers need none. */
export function ComposerHints(facts: ComposerHintsProps) {
  const { composer } = useMessages()
  const hints = facts.known === true && !facts.running ? [] : hintsFor(facts, composer)
  return (
    <p className="flex h-8 flex-wrap justify-center gap-x-4 overflow-hidden text-xs text-faint coarse:hidden">
      {hints.map(([keys, text]) => (
        <span key={keys} className="inline-flex h-8 items-center gap-1.5 whitespace-nowrap">
          <Kbd keys={keys} />
          {text}
        </span>
      ))}
    </p>
  )
}

type Words = Messages['composer']
type Hint = [keys: string, text: string]

function hintsFor({ running, empty, commands, sendKey }: ComposerHintsProps, words: Words): Hint[] {
  if (running && empty) return [['esc', words.hintStop]]
  const isEnter = sendKey === 'enter'
  if (!running) {
    const breaks = isEnter ? 'shift+enter' : 'enter'
    const writing: Hint[] = [
      [sendKey, words.hintSend],
      [breaks, words.hintBreak],
    ]
    return commands ? [...writing, ['/', words.hintCommands]] : writing
  }
  const adding: Hint[] = isEnter
    ? [
        ['mod+enter', words.hintSteer],
        ['mod+shift+enter', words.hintInterrupt],
      ]
    : [['mod+shift+enter', words.hintSteer]]
  return [[sendKey, words.hintQueue], ...adding, ['esc', words.hintStop]]
}
