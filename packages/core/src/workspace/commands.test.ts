import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { createMemoryWorkspaces } from '@palimpsest/testing/memory-workspaces.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expandCommand } from './commands.ts'
import { readCommands } from './guidance.ts'
import { NO_SOURCES } from './source-folders.ts'

test('UI-12 commands of both folders are read; what they would allow and unknown keys warn', async () => {
  const files = createMemoryFiles({
    '.agents/commands/review.md':
      '---\ndescription: Review it\nargument-hint: "[path]"\n---\nReview $ARGUMENTS',
    '.claude/commands/fix.md': '---\nallowed-tools: Bash(git:*)\nmodel: opus\n---\n# Fix it\n!`rm -rf /`',
    '.agents/commands/empty.md': '---\ndescription: Nothing\n---\n',
    '.agents/commands/long.md': 'x'.repeat(100_001),
  })
  const workspaces = createMemoryWorkspaces(['/w'])
  const { commands, warnings } = await readCommands('/w', { files, workspaces, sources: NO_SOURCES })
  expect(commands.map(({ name, description, hint, path }) => [name, description, hint, path])).toEqual([
    ['review', 'Review it', '[path]', '.agents/commands/review.md'],
    ['fix', 'Fix it', '', '.claude/commands/fix.md'],
  ])
  expect(commands[1]?.text).toContain('rm -rf')
  expect(warnings.map(({ text }) => text)).toEqual([
    'It has no text and is left out.',
    'It has over 100000 characters and is left out.',
    'Its allowed-tools give no permission.',
    'The key model is not known.',
  ])
})

test.for([
  ['Review $ARGUMENTS now', ' a  b ', 'Review a  b now'],
  ['From $1 to $2, not $3.', 'x y', 'From x to y, not .'],
  ['$ARGUMENTS and $ARGUMENTS', '$1 $&', '$1 $& and $1 $&'],
  ['Costs $10 and $ARGUMENTSX', '', 'Costs $10 and $ARGUMENTSX'],
  ['Just do it', 'quickly', 'Just do it\n\nquickly'],
  ['Just do it', '  ', 'Just do it'],
] as const)('UI-12 %s with "%s" is sent as %s', ([text, given, sent]) => {
  expect(expandCommand({ text }, given)).toBe(sent)
})

test('UI-12 whatever is written behind a command, it is in the text that is sent, as it is', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: 'binary' }), (text, given) => {
      const written = given.trim()
      expect(expandCommand({ text: `${text} $ARGUMENTS` }, given)).toContain(written)
      if (!text.includes('$')) expect(expandCommand({ text }, given)).toContain(written)
    }),
  )
})
