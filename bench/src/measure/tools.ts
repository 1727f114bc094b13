import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient, readRun } from '@palimpsest/client'
import { startTestServer, type TestServer, workspaceFiles } from '@palimpsest/server/testing'
import {
  createLabModels,
  evaluate,
  findTool,
  LAB_MODEL,
  readTool,
  reply,
  type ScriptedToolCall,
  toolRuntime,
} from '@palimpsest/testing'
import { rgPath } from '@vscode/ripgrep'
import { stepCountIs, streamText, tool } from 'ai'
import { z } from 'zod'
import { type Summary, summarize } from '../statistics.ts'
import { added, ms, type Row, times } from '../table.ts'

const GOAL = { stepMs: 5, reads: 1.5, grep: 1.2, rulesMs: 0.2 }
const RULES = 1_000
const READS = 100
/** Characters of a file that is read, and how many files are in a folder that is searched. */
const FILE_CHARACTERS = 10_000
const FOLDER_FILES = 500
const NEEDLE = 'const needle = 7'
const LINE = 'export const value = "some text of a line"\n'
const WARM_UP = 5

export type GrepSize = { files: number; rounds: number }

const run = promisify(execFile)
/** Differs by its number: the same call again and again would end the run. */
const noOp = (number: number): ScriptedToolCall => ({ name: 'find', input: { tokens: number } })

/** TO-7, PE-1: the time of a step with tool calls, from one request of the provider to the next; then that of rules alone. */
export async function measureTools(rounds: number): Promise<Row[]> {
  await using lab = await openToolLab()
  const { server, idle, folder } = lab
  const paths = Array.from({ length: READS }, (_, index) => `read/${index}.ts`)
  const text = LINE.repeat(FILE_CHARACTERS / LINE.length)
  await mkdir(join(folder, 'read'))
  await Promise.all(paths.map((path) => writeFile(join(folder, path), text)))

  const readCalls = paths.map((path) => ({ name: 'read', input: { path } }))

  const bare = await inRounds(rounds, () => bareStepOf(lab, [noOp(1)]))
  const ours = await inRounds(rounds, () => stepOf(idle, [noOp(1)]))
  const read = await inRounds(rounds, () =>
    timed(() => Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')))),
  )
  const oneByOne = await inRounds(rounds, () => timed(() => readInTurn(folder, paths)))
  const calls = await inRounds(rounds, () => timed(() => callAtOnce(folder, paths)))
  const noOps = await inRounds(rounds, () =>
    stepOf(
      idle,
      paths.map((_, index) => noOp(index)),
    ),
  )
  const bareReads = await inRounds(rounds, () => bareStepOf(lab, readCalls))
  const reads = await inRounds(rounds, () => stepOf(server, readCalls))
  const overhead = ours.median - bare.median
  return [
    row('TO-7', 'step with one tool that does nothing', bare.median, ours.median, {
      result: added(overhead),
      goal: `≤ + ${GOAL.stepMs} ms`,
      holds: overhead <= GOAL.stepMs,
    }),
    compared(
      `${READS} read calls alone, against reading the files one after another`,
      oneByOne,
      calls.median,
      GOAL.reads,
    ),
    row('TO-7', `step with ${READS} reads`, bareReads.median, reads.median, {
      result: times(reads.median / bareReads.median),
      goal: '',
      holds: null,
    }),
    compared(
      `${READS} reads in one step, above ${READS} calls that do nothing`,
      read,
      reads.median - noOps.median,
      GOAL.reads,
    ),
    measureRules(),
  ]
}

/** TO-7: a search of a folder by the tool against ripgrep itself. */
export async function measureGrep({ files, rounds }: GrepSize): Promise<Row[]> {
  await using lab = await openToolLab()
  await seed(lab.folder, files)
  const searched = join(lab.folder, 'search')
  const rg = await inRounds(rounds, () =>
    timed(() => run(rgPath, ['--no-config', '--json', '-e', NEEDLE, searched])),
  )
  const noOps = await inRounds(rounds, () => stepOf(lab.idle, [noOp(1)]))
  const greps = await inRounds(rounds, () =>
    stepOf(lab.server, [{ name: 'grep', input: { pattern: NEEDLE, path: 'search' } }]),
  )
  return [
    compared(
      `grep of ${files} files, above a call that does nothing`,
      rg,
      greps.median - noOps.median,
      GOAL.grep,
    ),
  ]
}

/** Two servers on one folder: one with the tools of the product, one with a tool that does nothing. */
async function openToolLab() {
  await using opening = new AsyncDisposableStack()
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-tools-')))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  const options = { store: 'sqlite', workspaces: [folder] } as const
  const server = opening.use(await startTestServer(options))
  const idle = opening.use(
    await startTestServer({ ...options, coreSettings: { agent: { tools: [findTool] } } }),
  )
  const opened = opening.move()
  return { folder, server, idle, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function seed(folder: string, files: number): Promise<void> {
  for (let from = 0; from < files; from += FOLDER_FILES) {
    const inside = join(folder, 'search', `${from}`)
    await mkdir(inside, { recursive: true })
    const count = Math.min(FOLDER_FILES, files - from)
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        writeFile(join(inside, `${index}.ts`), index === 0 ? `${LINE}${NEEDLE}\n` : LINE.repeat(20)),
      ),
    )
  }
}

async function inRounds(rounds: number, measure: () => Promise<number>): Promise<Summary> {
  const taken: number[] = []
  for (let round = -Math.min(WARM_UP, rounds); round < rounds; round++) {
    const figure = await measure()
    if (round >= 0) taken.push(figure)
  }
  return summarize(taken)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function readInTurn(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await readFile(join(folder, path), 'utf8')
}

/** What the calls of one step do: each names what it needs permission for, then reads. */
async function callAtOnce(workspaceRoot: string, paths: readonly string[]): Promise<void> {
  const runtime = toolRuntime({ workspaceRoot, files: workspaceFiles })
  const call = async (path: string) => {
    const args = { path, offset: 1 }
    await readTool.requires?.(args, runtime)
    await readTool.execute(args, runtime)
  }
  await Promise.all(paths.map(call))
}

/** Arrival of the requests that carry a conversation. */
function watchRequests({ provider }: TestServer): number[] {
  const arrivals: number[] = []
  provider.intercept(({ body }) => {
    // Looking for the title's request takes longer the larger it is.
    const at = performance.now()
    if (JSON.stringify(body).includes('Write a title')) return reply({ text: 'A title' })
    arrivals.push(at)
    return null
  })
  return arrivals
}

const between = ([first = Number.NaN, second = Number.NaN]: number[]) => second - first

async function stepOf(server: TestServer, toolCalls: ScriptedToolCall[]): Promise<number> {
  server.provider.script(reply({ toolCalls }), reply({ text: 'Done.' }))
  const arrivals = watchRequests(server)
  await using client = createClient({ url: server.url })
  const { id: sessionId } = await client.session.create.mutate({})
  const sent = await client.session.send.mutate({
    sessionId,
    message: { parts: [{ type: 'text', text: 'go' }] },
  })
  for await (const chunk of readRun(client, { sessionId, runId: sent.runId })) {
    if (chunk.type === 'tool-output-error') throw new Error(`A call failed: ${chunk.errorText}`)
  }
  return between(arrivals)
}

async function bareStepOf(
  { idle, folder }: { idle: TestServer; folder: string },
  toolCalls: ScriptedToolCall[],
): Promise<number> {
  idle.provider.script(reply({ toolCalls }), reply({ text: 'Done.' }))
  const arrivals = watchRequests(idle)
  const { model } = await createLabModels(idle.provider.baseURL).open(LAB_MODEL)
  const find = tool({
    inputSchema: z.object({ tokens: z.number() }),
    execute: () => Promise.resolve('needle'),
  })
  const read = tool({
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => readFile(join(folder, path), 'utf8'),
  })
  await streamText({ model, prompt: 'go', tools: { find, read }, stopWhen: stepCountIs(2) }).consumeStream()
  return between(arrivals)
}

function measureRules(): Row {
  const rules = Array.from(
    { length: RULES },
    (_, index) =>
      ({
        permission: 'edit',
        pattern: `packages/p${index}/**/*.ts`,
        action: 'allow',
        source: 'project',
      }) as const,
  )
  const required = [{ permission: 'edit', pattern: `packages/p${RULES - 1}/src/a.ts` } as const]
  const taken = Array.from({ length: 500 }, () => {
    const start = performance.now()
    evaluate(required, rules)
    return performance.now() - start
  })
  const { median } = summarize(taken.slice(100))
  return row('PE-1', `${RULES} rules evaluated`, null, median, {
    result: '',
    goal: `≤ ${GOAL.rulesMs} ms`,
    holds: median <= GOAL.rulesMs,
  })
}

function compared(what: string, reference: Summary, ours: number, most: number): Row {
  const ratio = ours / reference.median
  return row('TO-7', what, reference.median, ours, {
    result: times(ratio),
    goal: `≤ ${most} ×`,
    holds: ratio <= most,
  })
}

function row(
  rule: string,
  what: string,
  bare: number | null,
  ours: number,
  verdict: Pick<Row, 'result' | 'goal' | 'holds'>,
): Row {
  return { rule, what, bare: bare === null ? '' : ms(bare), ours: ms(ours), ...verdict }
}
