import { expect, test } from 'vitest'
import { memoryStorage } from '../state/browser-storage.ts'
import { modelInfo } from '../testing/model-info.ts'
import { createPendingModel, createRecentModels, effectiveModel } from './model-choice.ts'

const ref = (modelId: string) => ({ providerId: 'lab', modelId })

test('UI-13 recents hold the last five choices, the newest first, across a reload', () => {
  const storage = memoryStorage()
  const recents = createRecentModels(storage)
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'a']) recents.add(ref(id))
  expect(
    createRecentModels(storage)
      .get()
      .map(({ modelId }) => modelId),
  ).toEqual(['a', 'f', 'e', 'd', 'c'])
})

test('UI-13 a model that was picked and not yet sent with survives a reload', () => {
  const storage = memoryStorage()
  createPendingModel(storage, 'ses_1').set(ref('b'))
  expect(createPendingModel(storage, 'ses_1').get()).toEqual(ref('b'))
  createPendingModel(storage, 'ses_1').set(null)
  expect(createPendingModel(storage, 'ses_1').get()).toBeNull()
})

test('UI-13 the pick comes before the session, the session before the last choice; what is gone is passed over', () => {
  const catalogue = [modelInfo('a'), modelInfo('b')]
  expect(effectiveModel([ref('a'), ref('b')], catalogue)).toEqual(ref('a'))
  expect(effectiveModel([ref('gone'), undefined, ref('b')], catalogue)).toEqual(ref('b'))
  expect(effectiveModel([ref('gone')], catalogue)).toEqual(ref('gone'))
  expect(effectiveModel([null], catalogue)).toBeNull()
})
