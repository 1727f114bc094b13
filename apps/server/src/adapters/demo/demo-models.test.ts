import { createModels } from '@palimpsest/core/providers'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { expect, test } from 'vitest'
import { openDemoModels } from './demo-model.ts'
import { DEMO_MODELS } from './demo-models.ts'

test('MO-5 without a key a chat starts with a demo model, and the catalogue has nothing else', async () => {
  const clock = createFakeClock()
  const builtIn = openDemoModels(clock)
  const models = createModels({
    config: {},
    env: {},
    resolveSecret: () => undefined,
    clock,
    builtIn,
    discover: false,
  })
  expect((await models.list()).map(({ modelId }) => modelId)).toEqual([
    'palimpsest-demo',
    'palimpsest-demo-small',
  ])
  const start = { providerId: 'demo', modelId: 'palimpsest-demo' }
  expect(await models.defaultModel()).toEqual(start)
  expect((await models.open(start)).model).toMatchObject({ provider: 'demo', modelId: 'palimpsest-demo' })
})

test('MO-5 every demo model is labelled as one, costs nothing and states its limits', () => {
  for (const info of DEMO_MODELS) {
    expect(info).toMatchObject({ demo: true, providerId: 'demo', providerLabel: 'Demo' })
    expect(info.label).toMatch(/^Demo/)
    expect(Object.values(info.prices)).toEqual([0, 0, 0, 0])
    expect(info.contextLimit).toBeGreaterThan(info.maxOutput)
  }
})

test('MO-5 one demo model is the cheap one, and one has a window that fills quickly', () => {
  expect(DEMO_MODELS.filter((info) => info.cheap)).toHaveLength(1)
  expect(DEMO_MODELS.some((info) => info.contextLimit <= 4_096)).toBe(true)
})
