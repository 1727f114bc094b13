import type { ModelInfo } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { modelInfo } from '../testing/model-info.ts'
import { modelFor, unreadBy } from './read-by-model.ts'

const types = fc.constantFrom(
  'image/png',
  'image/jpeg',
  'image/svg+xml',
  'image/tiff',
  'application/pdf',
  'text/csv',
  'application/json',
  'audio/mpeg',
  'video/mp4',
  'application/zip',
  'application/octet-stream',
  '',
  'nonsense',
  '../../etc',
)
const files = fc.array(fc.record({ mediaType: types }), { maxLength: 6 })
const inputs = fc
  .subarray<ModelInfo['inputs'][number]>(['image', 'pdf', 'audio', 'video'])
  .map((more): ModelInfo['inputs'] => ['text', ...more])
const models = fc
  .array(inputs, { maxLength: 4 })
  .map((list) => list.map((taken, at) => ({ ...modelInfo(`m${at}`), inputs: taken })))

test('UI-33 the unread files are some of the files, in their order, and a model that takes more reads more', () => {
  fc.assert(
    fc.property(files, inputs, inputs, (chosen, some, others) => {
      const unread = unreadBy({ inputs: some }, chosen)
      expect(unread).toEqual(chosen.filter((file) => unread.includes(file)))
      const both: ModelInfo['inputs'] = [...new Set([...some, ...others])]
      for (const file of unreadBy({ inputs: both }, chosen)) expect(unread).toContain(file)
    }),
  )
})

test('UI-33 for any files and models the one that is offered reads every file that any of them reads', () => {
  fc.assert(
    fc.property(files, models, (chosen, available) => {
      const offered = modelFor(chosen, available)
      if (offered === null) return
      expect(available).toContain(offered)
      for (const file of unreadBy(offered, chosen))
        for (const model of available) expect(unreadBy(model, [file])).toEqual([file])
    }),
  )
})

test('UI-33 of several models that read the files the first is offered', () => {
  fc.assert(
    fc.property(files, models, (chosen, available) => {
      const offered = modelFor(chosen, available)
      const at = offered === null ? available.length : available.indexOf(offered)
      const fewest = Math.min(...available.map((model) => unreadBy(model, chosen).length))
      for (const model of available.slice(0, offered === null ? 0 : at))
        expect(unreadBy(model, chosen).length).toBeGreaterThan(fewest)
    }),
  )
})

test.each(['text/csv', 'application/json', 'image/svg+xml', 'text/html'])(
  'UI-33 a file of the type %s goes to a model that takes text only',
  (mediaType) => {
    expect(unreadBy({ inputs: ['text'] }, [{ mediaType }])).toEqual([])
  },
)

test.each(['image/jpg', 'IMAGE/PNG', 'image/png; charset=binary'])(
  'UI-33 a picture whose type is written as %s is a picture',
  (mediaType) => {
    expect(unreadBy({ inputs: ['text', 'image'] }, [{ mediaType }])).toEqual([])
    expect(unreadBy({ inputs: ['text'] }, [{ mediaType }])).toHaveLength(1)
  },
)

test.each(['image/tiff', 'application/zip', 'application/msword', '', 'a/b/c'])(
  'UI-33 no model is offered for a file of the type “%s”, which none reads',
  (mediaType) => {
    const all = {
      ...modelInfo('all'),
      inputs: ['text', 'image', 'pdf', 'audio', 'video'] as ModelInfo['inputs'],
    }
    expect(unreadBy(all, [{ mediaType }])).toHaveLength(1)
    expect(modelFor([{ mediaType }], [all])).toBeNull()
  },
)
