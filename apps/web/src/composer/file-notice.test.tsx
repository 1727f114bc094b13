// @vitest-environment happy-dom
import type { ModelInfo } from '@palimpsest/core/domain'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { modelInfo } from '../testing/model-info.ts'
import { FileNotice, type FileNoticeProps } from './file-notice.tsx'

const taking = (id: string, inputs: ModelInfo['inputs'], demo = false): ModelInfo => ({
  ...modelInfo(id),
  inputs,
  demo,
})
const TEXT = taking('Plain', ['text'])
const SEES = taking('Seer', ['text', 'image'])
const READS = taking('Reader', ['text', 'image', 'pdf'])
const DEMO = taking('Demo', ['text', 'image', 'pdf', 'audio', 'video'], true)
const photo = { name: 'photo.png', mediaType: 'image/png' }
const paper = { name: 'paper.pdf', mediaType: 'application/pdf' }
const notes = { name: 'notes.md', mediaType: 'text/markdown' }
const letter = { name: 'letter.doc', mediaType: 'application/msword' }

function show(props: Partial<FileNoticeProps>) {
  const onChoose = vi.fn<(model: ModelInfo) => void>()
  render(
    <FileNotice
      files={[]}
      models={[TEXT, SEES, READS]}
      recents={[]}
      model={TEXT}
      onChoose={onChoose}
      {...props}
    />,
  )
  return onChoose
}

const sentence = () => screen.queryByRole('status')?.querySelector('span')?.textContent ?? null
const offer = () => screen.queryByRole('button')?.textContent ?? null

afterEach(cleanup)

test.each([
  ['nothing is attached', [], TEXT],
  ['all files are text', [notes], TEXT],
  ['the model reads every file', [photo, paper, notes], READS],
])('UI-33 nothing is said while %s', (_, files, model) => {
  show({ files, model })
  expect(screen.queryByRole('status')).toBeNull()
})

test.each([
  ['a picture', [photo], TEXT, 'Plain can’t read photo.png: it gets the name only.', 'Use Seer'],
  [
    'a picture and a paper',
    [photo, notes, paper],
    TEXT,
    'Plain can’t read photo.png, paper.pdf: it gets the names only.',
    'Use Reader',
  ],
  ['a paper', [photo, paper], SEES, 'Seer can’t read paper.pdf: it gets the name only.', 'Use Reader'],
  [
    'a paper and what none reads',
    [paper, letter],
    TEXT,
    'Plain can’t read paper.pdf, letter.doc: it gets the names only.',
    'Use Reader',
  ],
])('UI-33 a model that can’t read %s is named with the files, and one that can is offered', (...row) => {
  const [, files, model, text, button] = row
  show({ files, model })
  expect([sentence(), offer()]).toEqual([text, button])
})

test.each([
  ['one file', [letter], 'None of your models can read letter.doc: only the name is sent.'],
  [
    'two files',
    [letter, { ...letter, name: 'b.doc' }],
    'None of your models can read letter.doc, b.doc: only the names are sent.',
  ],
])('UI-33 %s that no model reads are named without an offer', (_, files, text) => {
  show({ files })
  expect([sentence(), offer()]).toEqual([text, null])
})

test('UI-33 the model that was used last is offered before the others', () => {
  show({ files: [photo], recents: [{ providerId: 'lab', modelId: 'Reader' }] })
  expect(offer()).toBe('Use Reader')
})

test('UI-33 a model that was used last and is gone, or can’t read the file, is not offered', () => {
  const recents = ['Gone', 'Plain'].map((modelId) => ({ providerId: 'lab', modelId }))
  show({ files: [photo], recents })
  expect(offer()).toBe('Use Seer')
})

test('UI-33 a demo model is offered in place of a demo model only', () => {
  show({ files: [photo], models: [TEXT, DEMO] })
  expect([sentence(), offer()]).toEqual([
    'None of your models can read photo.png: only the name is sent.',
    null,
  ])
  cleanup()
  const simple = taking('Simple demo', ['text'], true)
  show({ files: [photo], models: [simple, DEMO], model: simple })
  expect(offer()).toBe('Use Demo')
})

test('UI-33 no model is offered that reads no more of the files than the chosen one', () => {
  for (const [model, models] of [
    [READS, [TEXT, READS]],
    [DEMO, [DEMO, taking('Small demo', DEMO.inputs, true)]],
  ] as const) {
    show({ files: [photo, letter], models, model })
    expect([sentence(), offer()]).toEqual([
      'None of your models can read letter.doc: only the name is sent.',
      null,
    ])
    cleanup()
  }
})

test('UI-33 the offer chooses the model that it names', () => {
  const onChoose = show({ files: [photo] })
  fireEvent.click(screen.getByRole('button', { name: 'Use Seer' }))
  expect(onChoose.mock.calls).toEqual([[SEES]])
})

test('UI-33 a file whose name is markup is named as it is written', () => {
  show({ files: [{ name: '<img src=x onerror=alert(1)>.png', mediaType: 'image/png' }] })
  expect(sentence()).toContain('<img src=x onerror=alert(1)>.png')
  expect(document.querySelector('img')).toBeNull()
})
