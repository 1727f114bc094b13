import { expect, test } from 'vitest'
import { pdfText } from './pdf.ts'

test('TO-1 each page of a PDF has a heading, an empty and an unreadable one too', () => {
  expect(pdfText('a.pdf', { type: 'pages', pages: ['One\ntwo', '', null], total: 3 })).toEqual({
    type: 'text',
    text: '[Page 1 of 3]\nOne\ntwo\n\n[Page 2 of 3]\n\n\n[Page 3 of 3]\n(This page cannot be read.)',
    isWhole: true,
  })
})

test.for([
  [1, '1 page'],
  [2, '2 pages'],
])('TO-1 a PDF of pictures says that it has no text: %s', ([total = 0, counted]) => {
  expect(
    pdfText('a.pdf', { type: 'pages', pages: Array<string>(Number(total)).fill(''), total: Number(total) }),
  ).toEqual({
    type: 'text',
    text: `a.pdf is a PDF of ${counted} without text that can be read: it may be all pictures. A person can attach it to a message.`,
    isWhole: true,
  })
})

test('TO-3 pages that are not there are counted at the end', () => {
  expect(pdfText('a.pdf', { type: 'pages', pages: ['One'], total: 9 })).toEqual({
    type: 'text',
    text: '[Page 1 of 9]\nOne\n\n[Only 1 page of 9: all of it takes more than 15 s, 400 MB or 4000000 characters]',
    isWhole: false,
  })
  expect(pdfText('a.pdf', { type: 'pages', pages: [''], total: 9 })).toMatchObject({ isWhole: false })
})

test.for([
  ['encrypted', 'a.pdf is a PDF that opens with a password only.'],
  ['damaged', 'a.pdf begins like a PDF, but the rest of it is damaged or missing.'],
  ['costly', 'a.pdf is a PDF that takes more than 15 s or 400 MB to read.'],
] as const)('TO-1 why a PDF gives no text is said with its name: %s', ([fault, reason]) => {
  expect(pdfText('a.pdf', { type: 'fault', fault })).toEqual({ type: 'refused', reason })
})
