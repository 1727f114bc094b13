import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createImpatientClock } from '@palimpsest/testing/fake-clock.ts'
import {
  failure,
  type ReplyScript,
  reply,
  type ScriptedReply,
} from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { providerConfigSchema } from '../model/provider-config.ts'
import { createModels } from '../model/providers/create-models.ts'
import type { Logger } from '../ports/index.ts'

const KEY = 'canary 3f9c1d key'
const HEADER = 'Basic header-canary-77aa'
const CANARY = /3f9c1d|77aa/

/** A core whose models are called with a key and a header of one's own, and what it writes into its log. */
async function openSecretLab() {
  const logged: string[] = []
  const log = (...line: unknown[]) => void logged.push(JSON.stringify(line))
  const logger: Logger = { debug: log, info: log, warn: log, error: log }
  const clock = createImpatientClock()
  const lab = await openCoreLab({ clock, logger }, { runs: { maxTries: 2 } })
  const own = {
    kind: 'openai-compatible',
    baseURL: lab.provider.baseURL,
    apiKey: { env: 'OWN_KEY' },
    headers: { 'x-own': HEADER },
    anyModel: true,
  }
  const models = createModels({
    config: providerConfigSchema.parse({ own }),
    env: {},
    resolveSecret: () => ` ${KEY}\n`,
    clock,
    builtIn: [],
    discover: false,
  })
  lab.ports.models.open = () => models.open({ providerId: 'own', modelId: 'm1' })
  return { lab, logged, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() }
}

const quoting = `Bearer ${KEY} and ${HEADER}, ${encodeURIComponent(KEY)}, ${btoa(KEY)}`
const inStream = (ending: ReplyScript['ending']) => reply({ text: 'Well', ...(ending && { ending }) })
const answers: { name: string; answer: ScriptedReply }[] = [
  { name: 'a refusal', answer: failure(400, quoting, { 'x-echo': encodeURIComponent(quoting) }) },
  { name: 'a refused key', answer: failure(401, quoting) },
  { name: 'an error inside the stream', answer: inStream({ error: { message: quoting, type: 'x' } }) },
  { name: 'an error as a text', answer: inStream({ error: quoting }) },
  { name: 'a nested error', answer: failure(422, JSON.stringify({ error: { message: quoting } })) },
  { name: 'a redirect', answer: failure(307, quoting, { location: `/?key=${encodeURIComponent(KEY)}` }) },
]

test.for(answers)('SX-5 $name that quotes key and headers leaves neither anywhere', async ({ answer }) => {
  await using opened = await openSecretLab()
  const { lab, logged } = opened
  lab.provider.script(answer)
  const { sessionId, chunks, messages } = await lab.turn('Hi')
  expect(lab.provider.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-own': HEADER })
  expect(messages[1]?.metadata?.error?.message).toEqual(expect.any(String))
  const exported = await Array.fromAsync(lab.ports.store.history.exportRows(sessionId))
  const status = await lab.sessions.status(sessionId)
  for (const shown of [chunks, messages, status, exported, logged])
    expect(JSON.stringify(shown)).not.toMatch(CANARY)
})
