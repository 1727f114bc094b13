import { createLabModels, LAB_MODEL } from '@palimpsest/testing/lab-models.ts'
import { expect, test } from 'vitest'
import { isNestedBeyond } from '../domain/json/nesting.ts'
import type { ChatMessage, ChatPart } from '../domain/message/message.ts'
import { shallowPart } from './shallow-part.ts'
import { toModelMessages } from './to-model-messages.ts'

const deep: unknown = JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`)
const call = { type: 'tool-todo', toolCallId: 'c1', state: 'output-available' }
const stored = [
  { type: 'text', text: 'Well', providerMetadata: { lab: deep } },
  { ...call, input: deep, output: { type: 'output', text: 'Done' } },
  { ...call, input: { a: 1 }, output: deep },
  { ...call, state: 'input-available', input: deep },
  { ...call, state: 'output-error', input: deep, errorText: 'No', providerExecuted: true },
  { type: 'data-x', data: deep },
] as ChatPart[]

test('SX-10 parts that were stored too deep break no later turn', async () => {
  const model = { ...LAB_MODEL }
  const info = await createLabModels('http://127.0.0.1:9').find(model)
  if (info === null) throw new Error('There is no model')
  for (const part of stored) {
    const message: ChatMessage = {
      id: 'm',
      role: 'assistant',
      metadata: { schemaVersion: 1, createdAt: 0, model },
      parts: [{ type: 'text', text: 'Before' }, part],
    }
    const lowered = await toModelMessages([message], { model, info, family: 'compatible', tools: {} })
    expect(JSON.stringify(lowered)).toContain('Before')
    expect(isNestedBeyond(lowered, 100)).toBe(false)
  }
})

test('SX-10 a part as deep as a provider may send is left as it is', () => {
  const input: unknown = JSON.parse(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`)
  const part = { ...call, input, output: { type: 'output', text: 'Done' } } as ChatPart
  expect(shallowPart(part)).toBe(part)
})
