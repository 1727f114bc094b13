import { given } from '@palimpsest/testing/store-contract/fixtures.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrayElements } from './array-elements.ts'

const read = (pieces: string[]) => Array.fromAsync(arrayElements(given(pieces), () => undefined))

test('OB-1 the elements of any JSON array are separated, with any white space and any division into pieces', async () => {
  const layout = fc.constantFrom<(string | number | undefined)[]>(undefined, 1, '\t', '\r\n  ')
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom('\\', '"', '\\"]', '},{', ',', '\\\\'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(value, { maxLength: 5 }), layout, cuts, async (values, space, shares) => {
      const text = JSON.stringify(values, null, space)
      const places = [0, ...shares.map((share) => Math.floor(share * text.length)).sort((a, b) => a - b)]
      const elements = await read(places.map((from, index) => text.slice(from, places[index + 1])))
      const found = elements.filter((element) => element.text.trim() !== '')
      expect(found.map((element) => JSON.parse(element.text))).toEqual(JSON.parse(text))
      for (const element of found) {
        const line = text
          .split('\n')
          .slice(element.number - 1)
          .join('\n')
        expect(line).toContain(element.text.trim())
      }
    }),
    { numRuns: 200 },
  )
})

test('OB-1 an element is named by the line that it begins on, and what follows the array is one more', async () => {
  const elements = await read(['\n[\n', ' {"a":', '\n1},\n', '\n2\n', '] no', 'thing'])
  expect(elements.map(({ text, number }) => [text.trim(), number])).toEqual([
    ['{"a":\n1}', 3],
    ['2', 6],
    ['nothing', 7],
  ])
})
