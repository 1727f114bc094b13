import { expect, test } from 'vitest'
import type { DemoConversation, DemoToolResult } from './demo-conversation.ts'
import { recogniseRequest } from './demo-request.ts'
import { nextExploreMove } from './explore-plan.ts'
import { nextSubagentMove } from './subagent-plan.ts'

function conversation(said: string, results: DemoToolResult[] = []): DemoConversation {
  return { instructions: '', said, files: 0, turn: 1, results, written: '' }
}
const task = (text: string, failed = false): DemoToolResult => ({ toolName: 'task', text, failed })
const TASK = new Set(['task'])
const READING = new Set(['glob', 'read'])

test.for([
  ['Ask a subagent to look around.', 'explore', 'look-around', false],
  ['Have a helper edit a file.', 'general', 'edit-file', false],
  ['Have a subagent answer slowly.', 'general', 'slow', false],
  ['Ask a subagent to look around, in the background.', 'explore', 'look-around', true],
] as const)(
  'MO-5 “%s” starts a subagent that follows a plan of its own',
  ([said, agent, request, background]) => {
    const { call } = nextSubagentMove(conversation(said), TASK)
    expect(call).toMatchObject({ toolName: 'task', input: { subagent_type: agent } })
    expect(recogniseRequest(String(call?.input['prompt']))).toBe(request)
    expect(call?.input['background']).toBe(background ? true : undefined)
  },
)

test('MO-5 the result of the subagent is quoted without the name of its session, and a failure is said', () => {
  const said = 'Ask a subagent'
  const text = 'There are 2 files:\n\n- a\n\nSession of the subagent: ses_1'
  const { say, call } = nextSubagentMove(conversation(said, [task(text)]), TASK)
  expect(call).toBeNull()
  expect(say).toContain('> There are 2 files:\n> \n> - a\n\nOpen')
  expect(say).not.toContain('ses_1')
  const failed = nextSubagentMove(conversation(said, [task('It was stopped.', true)]), TASK)
  expect(failed).toMatchObject({ say: expect.stringContaining('It was stopped.'), call: null })
  const inBackground = nextSubagentMove(conversation(`${said} in the background`, [task(text)]), TASK)
  expect(inBackground.say).toContain('comes into this chat')
  expect(nextSubagentMove(conversation(said), new Set()).call).toBeNull()
})

/** The inputs of all calls until the model has nothing more to do, and its last text. */
function explore(glob: DemoToolResult, read: (path: string) => DemoToolResult) {
  const results: DemoToolResult[] = []
  const paths: string[] = []
  for (let step = 0; step < 10; step += 1) {
    const { say, call } = nextExploreMove(conversation('Look around', results), READING)
    if (call === null) return { paths, say }
    const path = String(call.input['path'] ?? call.input['pattern'])
    paths.push(path)
    results.push(call.toolName === 'glob' ? glob : read(path))
  }
  return { paths, say: '' }
}

test('MO-5 looking around lists the files, reads two of them by name, and counts their lines', () => {
  const glob = { toolName: 'glob', text: 'z.ts\nb.ts\nREADME.md\n\n[Only the first]', failed: false }
  const { paths, say } = explore(glob, (path) => ({
    toolName: 'read',
    text: '1 a\n2 b\n',
    failed: path === 'b.ts',
  }))
  expect(paths).toEqual(['**/*', 'README.md', 'b.ts'])
  expect(say).toBe(
    'There are 3 files in this folder. I have looked into 2:\n\n- `README.md`: 2 lines came back\n- `b.ts`: could not be read',
  )
})

test('MO-5 looking around ends where there is nothing, and without tools', () => {
  const none = { toolName: 'glob', text: 'No file matches.', failed: false }
  expect(explore(none, () => none)).toEqual({
    paths: ['**/*'],
    say: 'There are no files in this folder that I may read.',
  })
  expect(explore({ ...none, failed: true }, () => none).paths).toEqual(['**/*'])
  const one = { toolName: 'glob', text: 'a.md', failed: false }
  expect(explore(one, () => ({ ...one, toolName: 'read', text: 'x' })).say).toContain('There is 1 file')
  expect(nextExploreMove(conversation('Look around'), new Set(['todo'])).call).toBeNull()
})
