import type { Reading } from './options.ts'
import type { PlainWord } from './plain-line.ts'

/** `-s` sets the clock, `-f` and `-r` take files; what begins with `+` is a format. */
const DATE_ARGUMENT = /^(?:-u|--utc|-R|-I\w*|--iso-8601(?:=\w+)?|--rfc-3339=\w+|--date=.*|\+.*)$/s

export function readDate(words: readonly PlainWord[]): Reading {
  for (let at = 0; at < words.length; at += 1) {
    const [word, value] = words.slice(at, at + 2)
    const isDate = word?.text === '-d' && value !== undefined
    if (isDate) at += 1
    if ((!isDate && !DATE_ARGUMENT.test(word?.text ?? '')) || words[at]?.glob !== null)
      return { refused: word?.text ?? '' }
  }
  return { paths: [] }
}

const PS_FIELD =
  '(?:pid|ppid|pgid|sid|user|uid|group|comm|cmd|args|command|pcpu|pmem|%cpu|%mem|rss|vsz|etimes?|time|start|lstart|stat|state|s|tty|tt|ni|pri|nlwp|psr|wchan)=?'
const PS_KEY = '[-+]?%?(?:cpu|mem|rss|vsz|pid|ppid|time|comm|user|pcpu|pmem|etimes?|start_time|nlwp)'
const listOf = (item: string) => `${item}(?:,${item})*`
const PS_FORMS = [
  '[auxfwjl]{1,6}',
  // Each alone: two of them may contradict each other.
  '-(?:[AefFlTjH]|ef|eF|el|ely|eH|eLf|ejH)',
  `(?:(?:-[Ae] )?-o|-[Aae]o|-?axo) ${listOf(PS_FIELD)}`,
  `-p ${listOf(String.raw`\d{1,7}`)}(?: -o ${listOf(PS_FIELD)})?`,
  // A user that is not found would be read as letters. A command always is.
  '-u [a-df-zA-Z0-9_]{1,32}',
  String.raw`-C \w{1,32}`,
  '--forest',
]
/**
 * What ps is given as a whole. Where it cannot read one word, or two contradict each other, it reads all words again as letters
 * without a dash, and then `e` prints environments.
 */
const PS = new RegExp(`^(?:(?:${PS_FORMS.join('|')})(?: --no-headers)?(?: --sort[= ]${listOf(PS_KEY)})?)?$`)

export function readPs(words: readonly PlainWord[]): Reading {
  const all = words.map(({ text }) => text).join(' ')
  const arePlain = words.length <= 8 && words.every(({ text, glob }) => glob === null && /^\S+$/.test(text))
  return arePlain && PS.test(all) ? { paths: [] } : { refused: all }
}
