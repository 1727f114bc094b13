import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isToolPart } from '../domain/message/message.ts'
import type { HookAnswer, HookPayload } from '../domain/settings/hook.ts'
import type { Hook } from '../ports/index.ts'
import { defineTool } from '../tool/tool.ts'

type Run = (payload: HookPayload) => HookAnswer

function hook(event: Hook['event'], run: Run, over: Partial<Hook> = {}): Hook {
  const facts = {
    kind: 'module',
    source: './hook.mjs',
    required: false,
    timeoutMs: 5_000,
    tools: null,
  } as const
  return {
    name: event,
    event,
    ...facts,
    run: async (payload) => await Promise.resolve(run(payload)),
    ...over,
  }
}

async function openLab(...hooks: Hook[]) {
  const made: unknown[] = []
  const look = defineTool({
    id: 'look',
    description: 'Looks',
    input: z.object({ at: z.string() }),
    requires: ({ at }) => [{ permission: 'read', pattern: at }],
    execute: ({ at }) => {
      made.push(at)
      return Promise.resolve({ text: `Seen ${at}` })
    },
  })
  const lab = await openCoreLab({ hooks }, { agent: { tools: [look] } })
  const { id } = await lab.sessions.create({ title: 'Named' })
  return { lab, id, made }
}

const CALLS = reply({ toolCalls: [{ name: 'look', input: { at: 'x' }, id: 'call_x' }] })

test('HK-1 a hook adds metadata to a user message, and blocks one before it is stored', async () => {
  const { lab: opened, id } = await openLab(
    hook('message.user', ({ parts }) =>
      JSON.stringify(parts).includes('secret')
        ? { decision: 'block', reason: 'That is a secret.' }
        : { metadata: { ticket: 'T-1' }, snapshotId: 'tree-1' },
    ),
  )
  await using lab = opened
  lab.provider.script(reply({ text: 'Hello' }))
  const { messages } = await lab.turn('Hi', id)
  expect(messages[0]?.metadata).toMatchObject({ hooks: { ticket: 'T-1' }, snapshotId: 'tree-1' })
  await expect(lab.say('A secret', id)).rejects.toMatchObject({
    code: 'HOOK_DENIED',
    message: 'That is a secret.',
  })
  expect((await lab.sessions.messages({ sessionId: id })).items).toHaveLength(2)
})

test.for(['turn.start', 'step.start'] as const)(
  'HK-1 a hook that blocks %s ends the run before its model call, with the reason',
  async (event) => {
    const { lab: opened, id } = await openLab(hook(event, () => ({ decision: 'block', reason: 'Not now.' })))
    await using lab = opened
    const { messages } = await lab.turn('Hi', id)
    expect(messages[1]?.metadata).toMatchObject({
      finishReason: 'error',
      error: { code: 'HOOK_DENIED', message: 'Not now.' },
    })
    expect(lab.provider.requests).toEqual([])
  },
)

test('HK-1 a hook that blocks a call denies it, and the model gets the reason', async () => {
  const {
    lab: opened,
    id,
    made,
  } = await openLab(hook('tool.before', () => ({ decision: 'block', reason: 'Look elsewhere.' })))
  await using lab = opened
  lab.provider.script(CALLS, reply({ text: 'I see' }))
  const { messages } = await lab.turn('Go', id)
  const [call] = messages[1]?.parts.filter(isToolPart) ?? []
  expect(call).toMatchObject({ state: 'output-denied', approval: { reason: 'Look elsewhere.' } })
  expect(JSON.stringify(lab.steps[1]?.body['messages'])).toContain('Look elsewhere.')
  expect(made).toEqual([])
})

test('HK-1 a hook tightens a call that a rule allows: a person is asked', async () => {
  const {
    lab: opened,
    id,
    made,
  } = await openLab(
    hook('tool.before', ({ args }) => ({ decision: 'ask', reason: `About ${JSON.stringify(args)}.` })),
  )
  await using lab = opened
  lab.provider.script(CALLS, reply({ text: 'I see' }))
  await lab.say('Go', id)
  await expect.poll(() => lab.sessions.status(id)).toMatchObject({ state: 'waiting' })
  const [ask] = await lab.sessions.permissions.pending(id)
  expect(ask).toMatchObject({ tool: 'look', reason: 'About {"at":"x"}.', patterns: [] })
  await lab.sessions.permissions.reply({ permissionId: ask?.id ?? '', reply: 'once' })
  await expect.poll(() => lab.sessions.status(id)).toEqual({ state: 'idle' })
  expect(made).toEqual(['x'])
})

test('HK-1 a hook cannot allow what a rule denies, and its failure changes nothing', async () => {
  const {
    lab: opened,
    id,
    made,
  } = await openLab(
    hook('tool.before', () => {
      throw new Error('Broken')
    }),
  )
  await using lab = opened
  lab.provider.script(CALLS, reply({ text: 'I see' }))
  const { messages } = await lab.turn('Go', id)
  expect(messages[1]?.metadata?.finishReason).toBe('stop')
  expect(made).toEqual(['x'])
})

test('HK-1 a hook forbids a summary', async () => {
  const { lab: opened, id } = await openLab(
    hook('compaction.before', () => ({ decision: 'block', reason: 'Keep it all.' })),
  )
  await using lab = opened
  lab.provider.script(...[1, 2, 3].map(() => reply({ text: 'Hello' })))
  for (const text of ['One', 'Two', 'Three']) await lab.turn(text, id)
  await expect(lab.sessions.history.compact(id)).rejects.toMatchObject({
    code: 'HOOK_DENIED',
    message: 'Keep it all.',
  })
})

test('HK-1 every event of a session and its turn is reported with its facts', async () => {
  const seen: HookPayload[] = []
  const note: Run = (payload) => {
    seen.push(payload)
    return {}
  }
  const { lab: opened, id } = await openLab(
    ...(['session.create', 'session.save', 'session.archive', 'session.delete'] as const).map((event) =>
      hook(event, note),
    ),
    ...(['step.end', 'turn.end', 'tool.after', 'cost'] as const).map((event) => hook(event, note)),
  )
  await using lab = opened
  lab.provider.script(CALLS, reply({ text: 'I see' }))
  const { runId } = await lab.turn('Go', id)
  await lab.sessions.archive(id)
  await lab.sessions.delete(id)
  const of = (event: string) => seen.filter((payload) => payload.event === event)
  await expect.poll(() => of('session.delete')).toHaveLength(1)
  await expect.poll(() => of('turn.end')).toHaveLength(1)
  expect(seen.every(({ sessionId, at }) => sessionId === id && at > 0)).toBe(true)
  expect(of('session.create')).toMatchObject([{ title: 'Named', agent: 'assistant' }])
  expect(of('session.archive')).toHaveLength(1)
  expect(of('session.save').map(({ saved }) => saved)).toContain('reply')
  expect(of('step.end')).toMatchObject([
    { runId, toolCalls: 1 },
    { runId, toolCalls: 0, finishReason: 'stop' },
  ])
  expect(of('cost')).toMatchObject([{ runId, tokens: expect.any(Number), costUsd: 0 }, { runId }])
  expect(of('tool.after')).toMatchObject([
    { tool: 'look', toolCallId: 'call_x', args: { at: 'x' }, output: { type: 'output' } },
  ])
  expect(of('turn.end')).toMatchObject([{ runId, finishReason: 'stop', spent: { toolCalls: 1 } }])
})
