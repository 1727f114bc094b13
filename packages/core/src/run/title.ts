import { generateText } from 'ai'
import type { ChatMessage } from '../domain/message.ts'
import { DEFAULT_TITLE, type Session } from '../domain/session.ts'
import type { Clock, Logger, Models, SessionEvents, Store } from '../ports/index.ts'
import type { Background } from '../state/background.ts'
import type { RunOutcome } from './run-outcome.ts'
import type { RunState } from './run-state.ts'

const INSTRUCTIONS =
  'Write a title for the conversation that this message opens: three to six words in its language, ' +
  'no quotation marks, no full stop, nothing but the title.'

/** Milliseconds, characters of the message that are read, and of the title that are kept. */
const TIMEOUT_MS = 20_000
const READ_CHARACTERS = 2_000
const TITLE_CHARACTERS = 80

type Ports = { store: Store; models: Models; events: SessionEvents; clock: Clock; logger: Logger }

/** Starts a title for a session that had none when its turn was asked for, in the background. */
export function titleSession(
  { sessionId, question }: RunState,
  outcome: RunOutcome,
  asked: Session,
  ports: Ports & { background: Background },
): void {
  if (question === null || asked.title !== DEFAULT_TITLE) return
  ports.background.start('title', async (signal) => {
    const session = await ports.store.sessions.get(sessionId)
    if (session !== null) await giveTitle(session, question, outcome, ports, signal)
  })
}

/**
 * Names a session after its first message, with the provider's cheap model, or with the message's text when the
 * provider has just failed. A title that a user set stays.
 */
async function giveTitle(
  session: Session,
  first: ChatMessage,
  outcome: RunOutcome,
  ports: Ports,
  signal: AbortSignal,
): Promise<void> {
  const { store, events, clock } = ports
  const text = textOf(first)
  if (session.title !== DEFAULT_TITLE || session.metadata.titledBy !== undefined || text === '') return
  const written = outcome.type === 'failed' ? null : await writeTitle(session, text, ports, signal)
  if (signal.aborted) return
  const named = await store.sessions.setGeneratedTitle(session.id, written ?? shorten(text), clock.now())
  if (named === null) return
  events.publish({ type: 'title', sessionId: named.id, title: named.title })
  events.publish({ type: 'session-changed', sessionId: named.id, session: named })
}

async function writeTitle(
  session: Session,
  text: string,
  ports: Ports,
  signal: AbortSignal,
): Promise<string | null> {
  const { models, clock, logger } = ports
  const timeout = new AbortController()
  using _timer = clock.after(TIMEOUT_MS, () => timeout.abort())
  try {
    const { model, providerOptions } = await models.open(await models.cheapSibling(session.model))
    const { text: answer } = await generateText({
      model,
      providerOptions,
      instructions: INSTRUCTIONS,
      prompt: text.slice(0, READ_CHARACTERS),
      maxOutputTokens: 200,
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, timeout.signal]),
    })
    return clean(answer)
  } catch (error) {
    logger.info({ error, sessionId: session.id }, 'No title could be written')
    return null
  }
}

function clean(answer: string): string | null {
  const line =
    answer
      .trim()
      .split('\n')[0]
      ?.replace(/^["'“”#*\s]+|["'“”.*\s]+$/g, '') ?? ''
  return line === '' ? null : shorten(line)
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= TITLE_CHARACTERS) return line
  const cut = line.slice(0, TITLE_CHARACTERS - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), TITLE_CHARACTERS / 2))}…`
}

function textOf(message: ChatMessage): string {
  return message.parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join(' ')
    .trim()
}
