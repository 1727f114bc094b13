import { visibleText } from '../exact/visible-text.ts'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { LongText } from './long-text.tsx'
import { isRecord, ownToolName, type ToolPart, toJson } from './tool-part.ts'

/** Characters of a value that has its row beside its name. */
const BESIDE_CHARACTERS = 80

/** The arguments of a call, each under its name: short ones beside it, long ones below. Unfinished ones as they are. */
export function ArgumentRows({ part }: { part: ToolPart }) {
  const { tool } = useMessages()
  const words = useArgumentWords(ownToolName(part))
  const { input } = part
  if (part.state === 'input-streaming' || !isRecord(input)) {
    const text = part.state === 'input-streaming' ? (part.rawInput ?? toJson(input)) : toJson(input)
    return text === '' || text === '{}' ? null : <LongText label={tool.arguments} text={text} exact />
  }
  const rows = Object.entries(input).map(([name, value]) => ({
    name,
    label: words.nameOf(name),
    text: words.valueOf(name, value),
  }))
  const [short, long] = [rows.filter(isShort), rows.filter((row) => !isShort(row))]
  return (
    <>
      {short.length > 0 && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-0.5 text-sm">
          {short.map(({ name, label, text }) => (
            <div key={name} className="contents">
              <dt className="exact text-muted">{visibleText(label)}</dt>
              <dd className="exact min-w-0 font-code text-xs leading-prose wrap-anywhere">
                {visibleText(text)}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {long.map(({ name, label, text }) => (
        <LongText key={name} label={visibleText(label)} text={text} exact />
      ))}
    </>
  )
}

function isShort({ text }: { text: string }): boolean {
  return text.length <= BESIDE_CHARACTERS && !text.includes('\n')
}

/** Names and values of arguments in words, where the tool is one of ours. */
export function useArgumentWords(ownName: string) {
  const { tool } = useMessages()
  const format = useFormat()
  const known = Object.hasOwn(tool.titles, ownName)
  const names: Readonly<Record<string, string>> = tool.argumentNames
  const values: Readonly<Record<string, string>> = tool.values
  return {
    nameOf: (name: string) => (known && Object.hasOwn(names, name) ? (names[name] ?? name) : name),
    valueOf(name: string, value: unknown): string {
      if (known && name === 'timeout' && typeof value === 'number') {
        // What is exact shows a space that does not break as an escape.
        return format.duration(value).replaceAll('\u00A0', ' ')
      }
      const isWord = typeof value === 'boolean' || name === 'scope'
      const word = known && isWord && Object.hasOwn(values, String(value)) ? values[String(value)] : undefined
      return word ?? (typeof value === 'string' ? value : toJson(value))
    },
  }
}
