import { isObject, toLine } from '@palimpsest/core/domain'
import type { WebResult } from '@palimpsest/core/ports'

/** Results of one search, and characters of each field. */
const RESULTS = 10
const TITLE_CHARACTERS = 200
const URL_CHARACTERS = 2_048
const SNIPPET_CHARACTERS = 500

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&#x27;', "'"],
  ['&nbsp;', ' '],
])

/** The results of an answer in plain text. One without an address of the web is left out; each address comes once. */
export function toResults(list: unknown, textField: string): WebResult[] {
  if (!Array.isArray(list)) return []
  const results = new Map<string, WebResult>()
  for (const entry of list.slice(0, 10 * RESULTS)) {
    const result = toResult(entry, textField)
    if (result !== null && results.size < RESULTS && !results.has(result.url)) results.set(result.url, result)
  }
  return [...results.values()]
}

function toResult(entry: unknown, textField: string): WebResult | null {
  if (!isObject(entry)) return null
  const url = toAddress(entry['url'])
  if (url === null) return null
  const title = plain(entry['title'], TITLE_CHARACTERS)
  return { title: title || new URL(url).hostname, url, snippet: plain(entry[textField], SNIPPET_CHARACTERS) }
}

function toAddress(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > URL_CHARACTERS || !URL.canParse(value)) return null
  const url = new URL(value)
  const isWeb = /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return isWeb && url.href.length <= URL_CHARACTERS ? url.href : null
}

/** A text in one line, without marks of HTML: services highlight with them. */
function plain(value: unknown, most: number): string {
  if (typeof value !== 'string') return ''
  const text = value
    .slice(0, 20 * most)
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, '')
    .replace(/&(?:amp|lt|gt|quot|#39|#x27|nbsp);/g, (entity) => ENTITIES.get(entity) ?? entity)
  const line = toLine(text)
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}
