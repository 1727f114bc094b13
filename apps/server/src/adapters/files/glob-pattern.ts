/** Texts that one pattern with braces may stand for. */
const MAX_ALTERNATIVES = 100

/** Matches one character, or any number of them. */
type Token = { type: 'any' } | { type: 'one'; matches(character: string): boolean }

/** Any number of folders, or the tokens of one name. */
type Segment = 'folders' | readonly Token[]

/**
 * Whether a path, with `/` between its names, matches a glob: `*` and `?` inside a name, `**` for any folders, `[a-z]`, `[!a-z]` and
 * `{a,b}`. Takes time linear in pattern and path.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const alternatives = expandBraces(pattern.replace(/^(\.?\/)+/, '')).map(toSegments)
  return (path) => {
    const names = path.split('/')
    return alternatives.some((segments) => matchAll(segments, names, isFolders, matchesName))
  }
}

function expandBraces(pattern: string): string[] {
  const done: string[] = []
  const open = [pattern]
  while (open.length > 0 && done.length + open.length <= MAX_ALTERNATIVES) {
    const text = open.pop() ?? ''
    const [whole, inside = ''] = /\{([^{}]*)\}/.exec(text) ?? []
    if (whole === undefined) done.push(text)
    else for (const one of inside.split(',')) open.push(text.replace(whole, () => one))
  }
  return [...done, ...open]
}

function toSegments(pattern: string): Segment[] {
  return pattern.split('/').map((name) => (name === '**' ? 'folders' : toTokens(name)))
}

function toTokens(name: string): Token[] {
  const tokens: Token[] = []
  // A class holds a character at least: brackets around none are those characters.
  for (const [piece] of name.matchAll(/\[(?:!|(?!!))(?:\][^\]]*|[^\]]+)\]|[\s\S]/gu)) {
    if (piece === '*') tokens.push({ type: 'any' })
    else if (piece === '?') tokens.push({ type: 'one', matches: () => true })
    else if (piece.length > 2 && piece.startsWith('[')) tokens.push(toClass(piece))
    else tokens.push({ type: 'one', matches: (character) => character === piece })
  }
  return tokens
}

function toClass(text: string): Token {
  const isNegated = text[1] === '!'
  const ranges = [...text.slice(isNegated ? 2 : 1, -1).matchAll(/([\s\S])-([\s\S])|[\s\S]/gu)]
  const has = (character: string) =>
    ranges.some(([one, from, to]) =>
      from === undefined || to === undefined ? one === character : from <= character && character <= to,
    )
  return { type: 'one', matches: (character) => has(character) !== isNegated }
}

const isFolders = (segment: Segment): boolean => segment === 'folders'
const isAny = (token: Token): boolean => token.type === 'any'

function matchesName(segment: Segment, name: string): boolean {
  return segment !== 'folders' && matchAll(segment, [...name], isAny, matchesCharacter)
}

function matchesCharacter(token: Token, character: string): boolean {
  return token.type === 'one' && token.matches(character)
}

/** Whether parts match items one by one, where a wild part takes any number of them. */
function matchAll<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  isWild: (part: Part) => boolean,
  matches: (part: Part, item: Item) => boolean,
): boolean {
  let [at, wild, taken] = [0, -1, 0]
  let index = 0
  while (index < items.length) {
    const part = parts[at]
    const item = items[index]
    if (part !== undefined && isWild(part)) {
      wild = at
      taken = index
      at += 1
    } else if (part !== undefined && item !== undefined && matches(part, item)) {
      at += 1
      index += 1
    } else if (wild === -1) return false
    else {
      taken += 1
      index = taken
      at = wild + 1
    }
  }
  return parts.slice(at).every(isWild)
}
