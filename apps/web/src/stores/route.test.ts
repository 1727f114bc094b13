import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRoute, routePath, SETTINGS_SECTIONS } from './route.ts'

const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/)

test('UI-5 every route reads back from the address it makes', () => {
  const session = fc.record({ sessionId: fc.option(id), anchor: fc.option(id) })
  const compared = fc.record({ left: id, right: id })
  const route = fc.oneof(
    session,
    compared.map((compare) => ({ sessionId: null, anchor: null, compare })),
    id.map((inspect) => ({ sessionId: null, anchor: null, inspect })),
  )
  fc.assert(
    fc.property(route, (expected) => {
      const { pathname, hash, search } = new URL(routePath(expected), 'http://localhost')
      expect(parseRoute(pathname, hash, search)).toEqual(expected)
    }),
  )
})

test('UI-5 an anchor that is no id is passed over', () => {
  expect(parseRoute('/s/ses_1', '#:~:text=word', '')).toEqual({ sessionId: 'ses_1', anchor: null })
  expect(parseRoute('/', '#', '')).toEqual({ sessionId: null, anchor: null })
})

test('UI-20 a comparison whose address is not complete is still one, with something to choose', () => {
  expect(parseRoute('/compare', '', '?a=ses_1&b=<b>').compare).toEqual({ left: 'ses_1', right: '' })
})

test('UI-31 each section of the settings has an address, and any other below them is the first', () => {
  for (const settings of SETTINGS_SECTIONS) {
    const route = { sessionId: null, anchor: null, settings }
    expect(parseRoute(routePath(route), '', '')).toEqual(route)
  }
  for (const path of ['/settings', '/settings/', '/settings/wizard'])
    expect(parseRoute(path, '', '').settings).toBe('models')
  expect(parseRoute('/settings/models/more', '', '').settings).toBeUndefined()
})
