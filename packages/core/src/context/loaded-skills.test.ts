import fc from 'fast-check'
import { expect, test } from 'vitest'
import { carriedSkills, type LoadedSkill, newestSkills } from './loaded-skills.ts'

const skill: fc.Arbitrary<LoadedSkill> = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  text: fc.string({ maxLength: 20 }),
})

test('SY-4 of loaded skills the newest fit into the bound, each once and in their order', () => {
  const a = { name: 'a', text: 'first' }
  const b = { name: 'b', text: 'second' }
  const again = { name: 'a', text: 'newer' }
  expect(newestSkills([a, b, again], 100)).toEqual([b, again])
  expect(newestSkills([a, b], 6)).toEqual([b])
  fc.assert(
    fc.property(fc.array(skill, { maxLength: 12 }), fc.nat(60), (loaded, characters) => {
      const kept = newestSkills(loaded, characters)
      expect(kept.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(characters)
      expect(new Set(kept.map(({ name }) => name)).size).toBe(kept.length)
      const places = kept.map((one) => loaded.lastIndexOf(one))
      expect(places).toEqual(places.toSorted((x, y) => x - y))
    }),
  )
})

test('SY-4 what a summary carries in another shape is left out', () => {
  fc.assert(
    fc.property(fc.anything(), (data) => {
      expect(
        carriedSkills({ skills: data }).every(
          ({ name, text }) => typeof name + typeof text === 'stringstring',
        ),
      ).toBe(true)
      expect(carriedSkills(data)).toBeInstanceOf(Array)
    }),
  )
})
