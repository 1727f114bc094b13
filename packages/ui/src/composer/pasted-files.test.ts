// @vitest-environment happy-dom
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PASTED_TEXT, pastedFiles } from './pasted-files.ts'

/** A paste as the browser gives it, without what no test reads. */
function paste(text: string, files: File[] = []): DataTransfer {
  const data = new DataTransfer()
  data.setData('text/plain', text)
  for (const file of files) data.items.add(file)
  return data
}

const MARK = '\u0301'
const picture = new File(['x'], 'shot.png', { type: 'image/png' })

test.each([
  ['nothing', ''],
  ['a word', 'Iron gall'],
  ['exactly 10,000 characters', 'x'.repeat(10_000)],
  ['a character with 1,016 marks', `e${MARK.repeat(1_016)}`],
])('UI-33 a paste of %s goes into the field', (_, text) => {
  expect(pastedFiles(paste(text))).toEqual([])
})

test('UI-33 a paste of 10,001 characters is a text file of them all', async () => {
  const text = 'Ink, '.repeat(2_000).concat('!')
  const [file, ...others] = pastedFiles(paste(text))
  expect(others).toEqual([])
  expect(file).toMatchObject({ name: PASTED_TEXT, type: 'text/plain' })
  expect(await file?.text()).toBe(text)
})

test('UI-33 line ends and characters beyond ASCII are in the file as they were pasted', async () => {
  const text = `${'一行\r\n🖋️\t'.repeat(2_000)}\0`
  expect(await pastedFiles(paste(text))[0]?.text()).toBe(text)
})

test('SX-11 a paste that is long and full of marks is named for its marks, which no field can hold', async () => {
  const text = `${'x'.repeat(20_000)}e${MARK.repeat(5_000)}`
  const [file] = pastedFiles(paste(text))
  expect(file?.name).toBe('pasted-marks.txt')
  expect(await file?.text()).toBe(text)
})

test('SX-11 marks that are spread over many characters go into the field, as a script writes them', () => {
  expect(pastedFiles(paste(`e${MARK}`.repeat(4_000)))).toEqual([])
  expect(pastedFiles(paste(`e${MARK.repeat(16)}`.repeat(500)))).toEqual([])
})

test('SX-11 marks that many characters carry in excess are counted together', () => {
  const excess = `e${MARK.repeat(40)}`
  expect(pastedFiles(paste(excess.repeat(10)))).toEqual([])
  expect(pastedFiles(paste(excess.repeat(100)))).toHaveLength(1)
})

test('UI-12 files of a paste are taken in their order, and the words beside them are left out', () => {
  const page = new File(['y'], 'page.html', { type: 'text/html' })
  expect(pastedFiles(paste('a picture', [picture, page]))).toEqual([picture, page])
  expect(pastedFiles(paste('x'.repeat(20_000), [picture]))).toEqual([picture])
})

test('UI-33 a paste always becomes at most one file, which holds all of it', async () => {
  const pieces = fc.constantFrom('a', 'ä', '\n', '🖋️', MARK.repeat(30), 'word '.repeat(200))
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 60 }), async (parts) => {
      const text = parts.join('')
      const files = pastedFiles(paste(text))
      expect(files.length).toBeLessThanOrEqual(1)
      if (text.length > 10_000) expect(files).toHaveLength(1)
      for (const file of files) expect(await file.text()).toBe(text)
    }),
    { numRuns: 40 },
  )
})
