import { loadLanguage } from './languages.ts'

/** A run of characters of one colour. `offset` is its place in the code. */
export type CodeToken = {
  content: string
  offset: number
  color: string | undefined
}

type Engine = Awaited<ReturnType<typeof createEngine>>

/** Characters of a line that is still coloured. */
const LINE_CHARACTERS = 2_000
/** Characters of code that is still coloured. */
const CODE_CHARACTERS = 100_000

let engine: Promise<Engine> | null = null

async function createEngine() {
  const [{ createCssVariablesTheme, createHighlighterCore }, { createJavaScriptRegexEngine }] =
    await Promise.all([import('shiki/core'), import('shiki/engine/javascript')])
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: 'palimpsest' })],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
}

/** Colours code with the theme's own variables; null for a language that is not known and for code that is too long. One at a time, off the frame. */
export async function highlight(code: string, language: string): Promise<CodeToken[][] | null> {
  if (code.length > CODE_CHARACTERS) return null
  const grammar = loadLanguage(language)
  if (!grammar) return null
  engine ??= createEngine()
  const [highlighter, { default: registration }] = await Promise.all([engine, grammar])
  const [first] = registration
  if (!first) return null
  if (!highlighter.getLoadedLanguages().includes(first.name)) await highlighter.loadLanguage(registration)
  const name = registration.at(-1)?.name ?? first.name
  const { tokens } = highlighter.codeToTokens(code, {
    lang: name,
    theme: 'palimpsest',
    // Long lines stay plain instead of those that a busy machine is slow with.
    tokenizeTimeLimit: 0,
    tokenizeMaxLineLength: LINE_CHARACTERS,
  })
  return tokens.map((line) => line.map(({ content, offset, color }) => ({ content, offset, color })))
}
