import { generateText } from 'ai'
import type { Budgets } from '../budget/budgets.ts'
import type { ChatMessage } from '../domain/message/message.ts'
import type { Session } from '../domain/session/session.ts'
import { firstWords, shortenTitle } from '../domain/session/session-name.ts'
import { countTokens } from '../model/usage.ts'
import type { Clock, Logger, Models, SessionEvents, Store } from '../ports/index.ts'
import type { Background } from '../state/background.ts'
import type { RunEnd } from './run-outcome.ts'
import type { RunState } from './run-state.ts'

const INSTRUCTIONS =
  'Write a title for the conversation that this message opens: three to six words in its language, ' +
  'no quotation marks, no full stop, nothing but the title.'

const TIMEOUT_MS = 20_000
/** Characters of the message that are read. */
const READ_CHARACTERS = 2_000

type Ports = {
  store: Store
  models: Models
  events: SessionEvents
  clock: Clock
  logger: Logger
  budgets: Budgets
}

/**
 * Starts a generated title, in the background, for a session that has the first words of this turn's message as its
 * title. A branch keeps those: they are how it differs from its siblings.
 */
export function titleSession(
  { session, question }: RunState,
  outcome: RunEnd,
  ports: Ports & { background: Background },
): void {
  if (question === null || outcome.type === 'failed' || session.parentId !== null) return
  const { titledBy } = session.metadata
  if (titledBy !== 'first-words' || session.title !== firstWords(question.parts)) return
  const text = textOf(question)
  if (text === '') return
  ports.background.start('title', (signal) => giveTitle(session, text, ports, signal))
}

/** Names a session after its first message, with the provider's cheap model. Without an answer the first words stay. */
async function giveTitle(session: Session, text: string, ports: Ports, signal: AbortSignal): Promise<void> {
  const { store, events, clock } = ports
  const written = await writeTitle(session, text, ports, signal)
  if (signal.aborted || written === null) return
  const named = await store.sessions.setGeneratedTitle(session.id, written, clock.now())
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
  const { models, clock, logger, budgets } = ports
  const timeout = new AbortController()
  using _timer = clock.after(TIMEOUT_MS, () => timeout.abort())
  try {
    if ((await budgets.reached(session)) !== null) return null
    const { model, providerOptions, info } = await models.open(await models.cheapSibling(session.model))
    const { text: answer, usage } = await generateText({
      model,
      providerOptions,
      instructions: INSTRUCTIONS,
      prompt: text.slice(0, READ_CHARACTERS),
      maxOutputTokens: 200,
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, timeout.signal]),
    })
    await budgets.charge(session, info, countTokens(usage))
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
  return line === '' ? null : shortenTitle(line)
}

function textOf(message: ChatMessage): string {
  return message.parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join(' ')
    .trim()
}
