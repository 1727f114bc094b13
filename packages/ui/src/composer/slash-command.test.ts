import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSlash, slashMatches } from './slash-command.ts'

const commands = [
  { name: 'model', description: 'Choose a model' },
  { name: 'rename', description: 'Name this chat', takes: 'title' },
]

test('UI-12 a slash at the start offers the commands that fit', () => {
  expect(slashMatches('/', commands)).toHaveLength(2)
  expect(slashMatches('/RE', commands)?.map((command) => command.name)).toEqual(['rename'])
  expect(slashMatches('/nothing', commands)).toEqual([])
})

test('UI-12 text, and a command that has its argument, offer nothing', () => {
  expect(slashMatches('a / b', commands)).toBeNull()
  expect(slashMatches('/rename Ink', commands)).toBeNull()
})

test('UI-12 a known command is called with the rest, an unknown one is text', () => {
  expect(parseSlash('/rename  Iron gall ink ', commands)).toMatchObject({
    command: { name: 'rename' },
    argument: 'Iron gall ink',
  })
  expect(parseSlash('/etc/passwd', commands)).toBeNull()
})

test('UI-12 a command is known however it is written', () => {
  const own = [{ name: 'ReviewCode', description: '' }]
  expect(parseSlash('/reviewcode a.ts', own)).toMatchObject({ command: own[0], argument: 'a.ts' })
  expect(parseSlash('/REVIEWCODE', own)?.command).toBe(own[0])
})

test('UI-12 a text that does not begin with a known command is always text', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const called = /^\/(?:model|rename)(?:\s|$)/i.test(text.trim())
      expect(parseSlash(text, commands) !== null).toBe(called)
    }),
  )
})

test('UI-12 words on further lines go along as they are', () => {
  expect(parseSlash('/rename one\n\ntwo', commands)?.argument).toBe('one\n\ntwo')
})
