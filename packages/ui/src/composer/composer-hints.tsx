import { useMessages } from '../messages/messages-context.tsx'
import { Kbd } from '../primitives/kbd.tsx'

export type ComposerHintsProps = {
  running: boolean
  empty: boolean
  commands: boolean
}

/** The keys that do something now, and no others. Fingers need none. */
export function ComposerHints({ running, empty, commands }: ComposerHintsProps) {
  const { composer } = useMessages()
  const hints: [keys: string, text: string][] =
    running && empty
      ? [['esc', composer.hintStop]]
      : running
        ? [
            ['enter', composer.hintQueue],
            ['mod+enter', composer.hintSteer],
            ['mod+shift+enter', composer.hintInterrupt],
            ['esc', composer.hintStop],
          ]
        : [
            ['enter', composer.hintSend],
            ['shift+enter', composer.hintBreak],
            ...(commands ? ([['/', composer.hintCommands]] satisfies [string, string][]) : []),
          ]
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
