import type { ScriptedReply } from '@palimpsest/testing'
import fc from 'fast-check'
import { hostileValue, made, mutated, oddText, rawJson } from './hostile-values.ts'

/** A call as a provider sends it: `args` is any text, most often JSON. `MARK` in it is replaced by a name that is used once. */
type WireCall = { id: string; name: string; args: string }

/** The calls of one step, and whether their pieces come in turn. */
export type WireStep = { calls: WireCall[]; interleaved: boolean }

/** What a model does in one turn, and what the person replies to what is asked, in turn. */
export type ToolScript = {
  mode: 'ask' | 'accept-edits' | 'plan'
  steps: WireStep[]
  replies: ('once' | 'session' | 'project' | 'deny')[]
  /** The number of replies after which the person stops the run; null for never. */
  abortAfter: number | null
}

/** Replaced by a name that is used once, so that what a call has written is known to be its own. */
export const MARK = 'MARK'
/** Replaced by the origin of a server that nobody may reach. */
export const ORIGIN = 'ORIGIN'
/** Replaced by the absolute path of a folder outside of the workspace, which is beside it under the name `outside`. */
export const OUTSIDE = 'OUTSIDE'

/** Lines of commands that write a file in their folder, openly or not. */
const WRITES = [
  'touch MARK',
  'cat a.txt && touch MARK',
  'cat a.txt; touch MARK',
  'ls\ntouch MARK',
  'ls\r\ntouch MARK',
  'ls & touch MARK',
  'echo $(touch MARK)',
  'echo `touch MARK`',
  'cat <(touch MARK)',
  'cat a.txt > MARK',
  'cat a.txt >| MARK',
  'cat a.txt | tee MARK',
  'eval "touch MARK"',
  '{touch,MARK}',
  "$'to\\x75ch' MARK",
  't\\ouch MARK',
  'command touch MARK',
  'env touch MARK',
  'find . -maxdepth 0 -exec touch MARK ;',
  'find . -maxdepth 0 -fprint MARK',
  'sort -o MARK a.txt',
  'sort --output=MARK a.txt',
  "sed -n 'w MARK' a.txt",
  'awk \'BEGIN{print 1 > "MARK"}\'',
  'test -v "a[$(touch MARK)]"',
  'printf -v "a[$(touch MARK)]" x',
  'rg --pre "touch MARK" x',
  'git -c core.pager="touch MARK" log',
  'git diff --output=MARK --no-index a.txt b.txt',
  'xargs touch MARK < /dev/null',
  'f() { touch MARK; }; f',
  'x=MARK; touch $x',
  'trap "touch MARK" EXIT',
  '. ./touch.sh MARK',
  'if true; then touch MARK; fi',
  'cat <<< "$(touch MARK)"',
  'touch MARK; sleep 0.5',
]

/** Lines that read what is outside of the folder. */
const READS_OUTSIDE = [
  'cat ../outside/secret.txt',
  'cat link/secret.txt',
  'cat link-file',
  'head -c 99 ./link/../outside/secret.txt',
  'grep -r canary ..',
  'cat < ../outside/secret.txt',
  'ls link/',
  'cat /proc/self/environ',
]
const READS = ['ls', 'cat a.txt', 'cat a.txt | wc -l', 'pwd', 'echo hi', 'git status', 'grep -n a a.txt']

const PATHS = [
  'a.txt',
  'MARK',
  'folder/MARK',
  'new/folder/MARK',
  '.',
  '..',
  '../outside/secret.txt',
  '../outside/MARK',
  'link/secret.txt',
  'link/MARK',
  'link-file',
  'folder/../../outside/secret.txt',
  'OUTSIDE/secret.txt',
  'OUTSIDE/MARK',
  'a.txt/MARK',
  '.git/hooks/MARK',
  'output:call_0',
  'file:///etc/passwd',
  '~/MARK',
  'a\u0000b',
  '\ud800',
  'x'.repeat(300),
  'd/'.repeat(1_500),
]

const path = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...PATHS) }, { weight: 1, arbitrary: oddText })
const scope = fc.constantFrom('user', 'project')

const URLS = [
  'ORIGIN/a',
  'ORIGIN',
  'http://127.0.0.1:1/',
  'http://[::1]:1/',
  'http://0/',
  'http://2130706433/',
  'http://169.254.169.254/latest',
  'http://localhost:1/',
  'file:///etc/passwd',
  'javascript:1',
  'http://user:password@127.0.0.1/',
  'http://',
]

/** Arguments as the tools expect them, by tool. */
const ARGUMENTS: Record<string, fc.Arbitrary<unknown>> = {
  read: fc.record({ path, offset: fc.integer({ min: 0, max: 3 }) }, { requiredKeys: ['path'] }),
  write: fc.record({ path, content: fc.oneof(oddText, fc.constant('x\n'.repeat(50_000))) }),
  edit: fc.record({
    path,
    edits: fc.array(fc.record({ old: fc.constantFrom('a', 'alpha', '', '\n'), new: oddText }), {
      maxLength: 3,
    }),
  }),
  glob: fc.record({ pattern: fc.constantFrom('*', '**/*', '../*', '{a,b', '[', '/etc/*'), path }),
  grep: fc.record({ pattern: fc.constantFrom('a', '(', 'canary', '(a+)+$', '.*'), path }),
  bash: fc.record(
    {
      command: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...WRITES) },
        { weight: 2, arbitrary: fc.constantFrom(...READS_OUTSIDE, ...READS) },
        { weight: 1, arbitrary: oddText },
      ),
      background: fc.boolean(),
      timeout: fc.constantFrom(1, 50, 5_000, 600_000),
    },
    { requiredKeys: ['command'] },
  ),
  bash_output: fc.record({ id: oddText, from: fc.integer() }),
  bash_stop: fc.record({ id: oddText }),
  todo: fc.record({
    todos: fc.array(fc.record({ content: oddText, status: fc.constantFrom('pending', 'completed', 'odd') }), {
      maxLength: 4,
    }),
  }),
  task: fc.record({
    subagent_type: fc.constantFrom('general', 'explore', 'nobody', 'constructor'),
    prompt: fc.oneof(fc.constant('Child'), oddText),
    background: fc.boolean(),
  }),
  question: fc.record({
    questions: fc.array(
      fc.record({ question: oddText, options: fc.array(fc.record({ label: oddText }), { maxLength: 3 }) }),
      { maxLength: 3 },
    ),
  }),
  web_fetch: fc.record({
    url: fc.constantFrom(...URLS),
    format: fc.constantFrom('markdown', 'text', 'html'),
  }),
  web_search: fc.record({ query: oddText }),
  skill: fc.record({ name: fc.oneof(oddText, fc.constantFrom('../../x', 'commit')) }),
  tool_search: fc.record({ query: oddText }),
  memory_write: fc.record({
    scope,
    name: oddText,
    description: oddText,
    type: fc.constantFrom('preference', 'fact', 'odd'),
    body: oddText,
  }),
  memory_read: fc.record({ scope, name: oddText }),
  memory_list: fc.constant({}),
  memory_delete: fc.record({ scope, name: oddText }),
  recall: fc.record({ query: oddText }),
}

const NAMES = Object.keys(ARGUMENTS)

const name = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom(...NAMES, 'bash', 'bash', 'bash', 'bash', 'write', 'edit', 'read'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('constructor', '__proto__', 'Bash', 'bash ', 'rm', 'a b', 'x'.repeat(200)),
  },
)

const args = (tool: string): fc.Arbitrary<string> => {
  const valid = NAMES.includes(tool) ? (ARGUMENTS[tool] ?? hostileValue) : hostileValue
  const value = fc.oneof(
    { weight: 5, arbitrary: valid },
    { weight: 2, arbitrary: valid.chain(mutated) },
    { weight: 1, arbitrary: hostileValue },
  )
  return fc.oneof(
    { weight: 9, arbitrary: value.map((one) => rawJson(made(one, () => null)) ?? '') },
    { weight: 1, arbitrary: fc.constantFrom('', '{', '{"path":', '[]', 'null', '"a"', '{}{}', '\u0000') },
  )
}

const id = fc.oneof(
  { weight: 6, arbitrary: fc.uuid() },
  { weight: 2, arbitrary: fc.constantFrom('call_0', 'call_1') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'a b\n"c"', '\u{1f600}', 'x'.repeat(500), '\ud800', 'a\u0000b'),
  },
)

const call: fc.Arbitrary<WireCall> = name.chain((tool) =>
  fc.record({ id, name: fc.constant(tool), args: args(tool) }),
)

export const toolScript: fc.Arbitrary<ToolScript> = fc.record({
  mode: fc.constantFrom('ask', 'ask', 'accept-edits', 'plan'),
  steps: fc.array(
    fc.record({ calls: fc.array(call, { minLength: 1, maxLength: 5 }), interleaved: fc.boolean() }),
    { minLength: 1, maxLength: 5 },
  ),
  replies: fc.array(fc.constantFrom('once', 'once', 'session', 'project', 'deny'), {
    minLength: 1,
    maxLength: 6,
  }),
  abortAfter: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(4) }),
})

/** Pieces of the arguments of a call. */
const PIECE_CHARACTERS = 2_000

/** A step as an OpenAI-compatible server streams it. */
export function wireReply({ calls, interleaved }: WireStep): ScriptedReply {
  const streams = calls.map(({ id, name, args }, index) => [
    delta(index, { id, type: 'function', function: { name, arguments: '' } }),
    ...piecesOf(args).map((piece) => delta(index, { function: { arguments: piece } })),
  ])
  const rounds = Math.max(...streams.map(({ length }) => length))
  const turns = Array.from({ length: rounds }, (_, round) =>
    streams.flatMap((stream) => stream.slice(round, round + 1)),
  )
  const deltas = interleaved ? turns.flat() : streams.flat()
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }
  const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }
  const steps = [...deltas, end, usage].map((frame) => ({
    send: `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm1', ...frame })}\n\n`,
  }))
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    steps: [...steps, { send: 'data: [DONE]\n\n' }],
  }
}

function delta(index: number, fields: object) {
  return { choices: [{ index: 0, delta: { tool_calls: [{ index, ...fields }] }, finish_reason: null }] }
}

function piecesOf(text: string): string[] {
  const count = Math.ceil(text.length / PIECE_CHARACTERS)
  return Array.from({ length: count }, (_, at) =>
    text.slice(at * PIECE_CHARACTERS, (at + 1) * PIECE_CHARACTERS),
  )
}
