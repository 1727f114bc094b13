import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startChild } from '../processes/child.ts'
import type { Counts } from '../processes/cost-probe.ts'
import { summarize } from '../statistics.ts'
import { megabytes, ms, type Row, times } from '../table.ts'
import { createBareTarget } from '../targets/bare-target.ts'
import { BARE, PROVIDER, programOf, startCountedServer, startServer } from '../targets/lab.ts'
import { createStrangerTarget } from '../targets/stranger-target.ts'
import type { Conversation, Target } from '../targets/target.ts'

/** A reply at the pace of a fast model. */
const TURN = { deltas: 20, everyMs: 5 }
/** A server that costs up to this much more than the former one is within what two runs differ. */
const SLACK = 1.1

/** `chats` one after the other, `restMs` before memory is read. */
export type CostSize = { chats: number; rounds: number; restMs: number }

type Cost = Record<'cpuMs' | 'rss' | 'privateBytes', number | null> & Counts & { bytes: number }

/**
 * PF-12: what one short turn costs, from the creation of its session to the end of its reply: processor time and memory of a server
 * as it is started by users, counts of one with a probe. `roots` are this checkout and, where it is compared, another one.
 */
export async function measureCost(
  roots: { ours: string; former: string | null },
  size: CostSize,
): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-cost-'))
  try {
    await using provider = await startChild(PROVIDER)
    const taken: Record<'ours' | 'former', Cost[]> = { ours: [], former: [] }
    const bare: number[] = []
    for (let round = 0; round < size.rounds; round++) {
      await using target = createBareTarget(await startChild(BARE, [provider.url]))
      bare.push((await cpuOfChats(target, size)) ?? Number.NaN)
      for (const name of ['former', 'ours'] as const) {
        const root = roots[name]
        const own = join(folder, `${name}-${round}`)
        if (root !== null) taken[name].push(await costOf(root, own, provider.url, size))
      }
    }
    return rowsOf(taken, bare)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function costOf(root: string, folder: string, provider: string, size: CostSize): Promise<Cost> {
  for (const name of ['plain', 'counted']) await mkdir(join(folder, name), { recursive: true })
  const memory = await (async () => {
    await using server = await startServer(join(folder, 'plain'), provider, { program: programOf(root) })
    await (await fetch(`${server.url}/trpc/system.info`)).text()
    await delay(size.restMs)
    const atRest = { rss: server.rss(), privateBytes: server.privateBytes() }
    return { ...atRest, cpuMs: await cpuOfChats(createStrangerTarget(server), size) }
  })()
  await using counted = await startCountedServer(join(folder, 'counted'), provider, root)
  const target = createStrangerTarget(counted)
  await chat(target)
  await delay(size.restMs)
  const { modules, ...before } = await counted.counts()
  for (let number = 0; number < size.chats; number++) await chat(target)
  await delay(size.restMs)
  const after = await counted.counts()
  const each = (name: keyof typeof before) => (after[name] - before[name]) / size.chats
  return {
    ...memory,
    modules,
    transactions: each('transactions'),
    statements: each('statements'),
    programs: each('programs'),
    fileCalls: each('fileCalls'),
    bytes: Number(await chat(target, { deltas: 0, weighs: true })),
  }
}

/** Milliseconds of processor time of one chat; null where the system does not give it. */
async function cpuOfChats(target: Target, { chats }: CostSize): Promise<number | null> {
  for (let number = 0; number < chats; number++) await chat(target)
  const before = target.server.cpuMs()
  for (let number = 0; number < chats; number++) await chat(target)
  const after = target.server.cpuMs()
  return before === null || after === null ? null : (after - before) / chats
}

async function chat(target: Target, script: Parameters<Conversation['ask']>[0] = TURN): Promise<string> {
  const conversation = await target.open()
  let text = ''
  await conversation.ask(script, (more) => {
    text += more
  })
  await conversation.close()
  return text
}

function rowsOf({ ours, former }: Record<'ours' | 'former', Cost[]>, bare: number[]): Row[] {
  const exact = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(1))
  const figures: [what: string, name: keyof Cost, unit: (value: number) => string][] = [
    ['processor time of a chat of 20 deltas', 'cpuMs', ms],
    ['its transactions', 'transactions', exact],
    ['its statements', 'statements', exact],
    ['programs that it starts', 'programs', exact],
    ['its calls of files', 'fileCalls', exact],
    ['bytes to the provider: system prompt and tools', 'bytes', exact],
    ['modules loaded after the first chat', 'modules', exact],
    ['private memory at rest, without pages', 'privateBytes', megabytes],
    ['memory at rest, without pages', 'rss', megabytes],
  ]
  return figures.flatMap(([what, name, unit]): Row[] => {
    const median = (costs: Cost[]) => summarize(costs.map((cost) => cost[name] ?? Number.NaN)).median
    const [now, before] = [median(ours), median(former)]
    if (Number.isNaN(now)) return []
    const compared = former.length > 0 && !Number.isNaN(before)
    return [
      {
        rule: 'PF-12',
        what,
        bare: name === 'cpuMs' ? unit(summarize(bare).median) : '',
        ...(compared && { former: unit(before) }),
        ours: unit(now),
        result: compared && before > 0 ? times(now / before) : '',
        goal: compared ? '≤ the former' : '',
        holds: compared ? now <= before * SLACK : null,
      },
    ]
  })
}
