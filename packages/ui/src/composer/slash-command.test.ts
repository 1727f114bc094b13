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
