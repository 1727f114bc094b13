import { begin, block, end, json, text } from '@palimpsest/testing/anthropic-events.ts'
import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { recordingOf } from '@palimpsest/testing/provider-streams.ts'
import type { ProviderRequest } from '@palimpsest/testing/scripted-provider.ts'
import { openFormatLab } from '@palimpsest/testing/stream-lab.ts'
import { expect, test } from 'vitest'
import { BUILT_IN_TOOLS } from '../tool/index.ts'

const TURNS = 20

type Block = { content: string; marked: boolean }

/** The blocks of a request in the order in which Anthropic caches them, without their marks. */
function blocksOf({ body }: ProviderRequest): Block[] {
  const {
    tools = [],
    system = [],
    messages = [],
  } = body as {
    tools?: object[]
    system?: object[]
    messages?: { role: string; content: object[] | string }[]
  }
  const said = messages.flatMap(({ role, content }) =>
    (typeof content === 'string' ? [{ text: content }] : content).map((one) => ({ role, ...one })),
  )
  return [...tools, ...system, ...said].map((one) => {
    const { cache_control: mark, ...content } = one as { cache_control?: object }
    return { content: JSON.stringify(content), marked: mark !== undefined }
  })
}

/** What a provider would serve from its cache: of each request the longest beginning that was marked in one before it. */
function cacheHits(requests: readonly ProviderRequest[]): { cached: number; total: number }[] {
  const kept = new Set<string>()
  return requests.map((request) => {
    const blocks = blocksOf(request)
    let [prefix, cached] = ['', 0]
    const marked: string[] = []
    for (const { content, marked: isMarked } of blocks) {
      prefix += content
      if (kept.has(prefix)) cached = prefix.length
      if (isMarked) marked.push(prefix)
    }
    for (const one of marked) kept.add(one)
    return { cached, total: prefix.length }
  })
}

const answer = (...events: object[]) =>
  recordingOf({ folder: 'anthropic-messages', lines: events.map((event) => JSON.stringify(event)) })

/** A conversation of 20 turns with a call in each. */
async function converse(gitStatus: (turn: number) => string) {
  let turn = 0
  const files = createMemoryFiles({
    'AGENTS.md': 'Use pnpm. '.repeat(200),
    'a.txt': 'A line of a file.\n'.repeat(100),
  })
  const lab = await openFormatLab(
    'anthropic-messages',
    {
      gitStatus: () => Promise.resolve(gitStatus(turn)),
      agent: { tools: BUILT_IN_TOOLS, maxSteps: 5 },
    },
    'claude-own',
    { files },
  )
  const { id } = await lab.sessions.create({})
  for (turn = 0; turn < TURNS; turn += 1) {
    const input = json(JSON.stringify({ path: 'a.txt', offset: turn + 1 }))
    const call = { type: 'tool_use', id: `toolu_${turn}`, name: 'read', input: {} }
    lab.provider.script(
      answer(begin(), ...block(0, call, ...input), ...end('tool_use')),
      answer(begin(), ...text(0, `Answer ${turn}. `.repeat(20)), ...end()),
    )
    await lab.turn(`Question ${turn}. `.repeat(10), id)
  }
  return lab
}

const share = (hits: readonly { cached: number; total: number }[]) =>
  hits.reduce((sum, { cached }) => sum + cached, 0) / hits.reduce((sum, { total }) => sum + total, 0)

test('SY-5 in 20 turns with calls each request begins with all of the one before it, and over 90 % comes from the cache', async () => {
  await using lab = await converse(() => 'clean')
  const requests = lab.steps
  expect(requests).toHaveLength(2 * TURNS)
  const prefixes = requests.map((request) =>
    blocksOf(request)
      .map(({ content }) => content)
      .join(''),
  )
  for (const [index, prefix] of prefixes.entries())
    expect(prefix.startsWith(prefixes[index - 1] ?? '')).toBe(true)
  const hits = cacheHits(requests)
  expect(share(hits)).toBeGreaterThan(0.9)
  for (const request of requests) {
    const marks = blocksOf(request).filter(({ marked }) => marked)
    expect(marks.length).toBeGreaterThanOrEqual(3)
    expect(marks.length).toBeLessThanOrEqual(4)
  }
})

test('SY-5 a git status that changes each turn leaves tools, instructions and the steps of a turn in the cache', async () => {
  await using lab = await converse((turn) => `${turn} files changed`)
  const hits = cacheHits(lab.steps)
  for (const { cached } of hits.slice(1)) expect(cached).toBeGreaterThan(4_000)
  const second = hits.filter((_, index) => index % 2 === 1)
  expect(share(second)).toBeGreaterThan(0.85)
})
