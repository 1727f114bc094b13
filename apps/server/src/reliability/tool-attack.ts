import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { type ChatMessage, isToolPart } from '@palimpsest/core/domain'
import { type ProviderRequest, reply, type ScriptedReply } from '@palimpsest/testing'
import { portOf } from '../listen.ts'
import {
  MARK,
  ORIGIN,
  OUTSIDE,
  type ToolScript,
  type WireStep,
  wireReply,
} from '../testing/attack/tool-script.ts'
import { processesNamed } from '../testing/processes-named.ts'
import { startProcess } from '../testing/start-process.ts'
import { pathWithoutSandbox } from '../testing/without-sandbox.ts'
import { connect } from './connection.ts'
import { openLabFolder } from './lab-folder.ts'
import { remoteHost } from './remote-host.ts'

const MODEL = { providerId: 'lab', modelId: 'm1' }
const SECRET = 'canary-7f3a91'
/** Milliseconds in which a turn has to end once everything that is asked has a reply. */
const HANG_MS = 20_000
/** What a reply may end with. */
const ENDS = ['stop', 'aborted', 'doom-loop', 'max-steps']
const WRITING = ['bash', 'write', 'edit']

/** What every subagent does. */
const CHILD: WireStep = {
  calls: [{ id: 'child', name: 'bash', args: JSON.stringify({ command: `touch ${MARK}` }) }],
  interleaved: false,
}

type PermissionReply = ToolScript['replies'][number]

/** A call that names a file of its own, and the mode of its chat. */
type Marked = { tool: string; mode: ToolScript['mode'] }

/** A server process without a sandbox whose models follow scripts, and a person who replies to what is asked. */
export async function openToolAttack() {
  await using opened = new AsyncDisposableStack()
  const scripts = new Map<string, ToolScript>()
  const marks: Marked[] = []
  /** The arguments of writing calls that the person has allowed. */
  const allowed: string[] = []
  const lab = opened.use(await openLabFolder(answer))
  const [work, outside] = await layOut(lab.folder)
  const untouched = await contentOf(outside)
  const forbidden = opened.use(await startForbidden())
  const server = opened.use(
    await startProcess({
      ...lab.environment,
      PALIMPSEST_WORKSPACE: work,
      PATH: await pathWithoutSandbox(lab.folder),
    }),
  )
  const connection = opened.use(connect(server.url))
  const { api } = connection
  const host = remoteHost(connection)
  let mode: ToolScript['mode'] = 'ask'

  function answer({ body }: ProviderRequest): ScriptedReply {
    // The provider package builds the body from the conversation.
    const messages = body['messages'] as { role: string; content: unknown }[]
    const prompt = messages.findLastIndex(({ role, content }) => role === 'user' && isPrompt(content))
    const name = String(messages[prompt]?.content)
    const steps = scripts.get(name)?.steps ?? (name === 'And now?' ? [] : [CHILD])
    const step = steps[messages.slice(prompt).filter(({ role }) => role === 'assistant').length]
    return step === undefined ? reply({ text: 'Done' }) : wireReply(filledIn(step))
  }

  function filledIn({ calls, interleaved }: WireStep): WireStep {
    const filled = calls.map((call) => {
      const mark = `mark-${marks.push({ tool: call.name, mode })}-`
      const args = call.args.replaceAll(MARK, mark).replaceAll(ORIGIN, forbidden.origin)
      return { ...call, args: args.replaceAll(OUTSIDE, outside) }
    })
    return { calls: filled, interleaved }
  }

  async function familyOf(sessionId: string): Promise<string[]> {
    const { items } = await api.session.list.query({ parentId: sessionId })
    return [sessionId, ...items.map(({ id }) => id)]
  }

  async function replyTo(sessionId: string, { replies }: ToolScript, before: number): Promise<number> {
    let given = before
    for (const { id, tool, args, patterns } of (await api.permission.pending.query({ sessionId })).items) {
      const drawn = replies[given++ % replies.length] ?? 'deny'
      const wanted = replyFor({ tool, args: JSON.stringify(args), patterns }, drawn)
      if (wanted === 'once') allowed.push(JSON.stringify(args))
      await api.permission.reply.mutate({ permissionId: id, reply: wanted }).catch(ignoreEnded)
    }
    for (const { id, questions } of (await api.question.pending.query({ sessionId })).items) {
      given += 1
      const answers = questions.map(() => ['Yes'])
      await api.question.answer.mutate({ questionId: id, answers }).catch(ignoreEnded)
    }
    return given
  }

  /** Replies to what is asked until the chat and its subagents are idle. Returns what is wrong, in words. */
  async function untilIdle(sessionId: string, script: ToolScript): Promise<string[]> {
    let given = 0
    let stops = script.abortAfter !== null
    const deadline = performance.now() + HANG_MS
    for (;;) {
      const states = await Promise.all((await familyOf(sessionId)).map((id) => host.state(id)))
      if (states.every((state) => state === 'idle' || state === 'error')) return []
      if (performance.now() > deadline) return [`${sessionId} hangs: ${states.join(', ')}`]
      if (stops && given >= (script.abortAfter ?? 0)) {
        stops = false
        await api.session.abort.mutate({ sessionId })
      }
      given = await replyTo(sessionId, script, given)
    }
  }

  async function say(sessionId: string, text: string): Promise<void> {
    await api.session.send.mutate({ sessionId, message: { parts: [{ type: 'text', text }] } })
  }

  async function writtenUnasked(): Promise<string[]> {
    return (await pathsIn(work)).filter((path) => {
      const [mark, number] = /mark-(\d+)-/.exec(path) ?? []
      const by = marks[Number(number) - 1]
      if (mark === undefined || by === undefined) return false
      const isEdit = by.mode === 'accept-edits' && by.tool !== 'bash'
      return !isEdit && !allowed.some((args) => args.includes(mark))
    })
  }

  const held = opened.move()
  return {
    /** Has a chat follow a script, and then answer a message. Returns what is wrong, in words. */
    async play(id: string, script: ToolScript): Promise<string[]> {
      mode = script.mode
      scripts.set(`Script ${id}`, script)
      await api.session.create.mutate({ id, title: id, model: MODEL, workspaceRoot: work })
      await api.permission.setMode.mutate({ sessionId: id, mode })
      await say(id, `Script ${id}`)
      const faults = await untilIdle(id, script)
      await say(id, 'And now?')
      faults.push(...(await untilIdle(id, { ...script, abortAfter: null })))
      for (const sessionId of await familyOf(id))
        for (const message of (await host.page(sessionId, null)).items) faults.push(...openEnds(message))
      await api.session.archive.mutate({ sessionId: id })
      for (const pid of await processesNamed(`mark-${marks.length}-`)) faults.push(`process ${pid} is left`)
      for (const path of await writtenUnasked()) faults.push(`${path} was written unasked`)
      if ((await contentOf(outside)) !== untouched) faults.push('something outside was changed')
      faults.push(...forbidden.hits.map((path) => `${path} was fetched`))
      if (lab.provider.requests.some(({ body }) => JSON.stringify(body).includes(SECRET)))
        faults.push('the model has read a secret')
      if (/"level":[56]0/.test(server.output)) faults.push(server.output)
      return faults
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

/** What a person or the parent of a subagent says, and no reminder. */
function isPrompt(content: unknown): boolean {
  return typeof content !== 'string' || !content.startsWith('<')
}

type AskedCall = { tool: string; args: string; patterns: readonly string[] }

/** What the person replies instead of `drawn`: a lasting permission would let later calls write unasked. */
function replyFor({ tool, args, patterns }: AskedCall, drawn: PermissionReply): PermissionReply {
  if (tool === 'bash' && !isHarmless(args)) return 'deny'
  const lasts = !WRITING.includes(tool) && patterns.length > 0
  return drawn !== 'deny' && !lasts ? 'once' : drawn
}

/** Whether a command writes its own file in its own folder, whatever else it does. */
function isHarmless(args: string): boolean {
  return args.includes('mark-') && !/\.\.|~|cd\b|\/(?!touch)/.test(args.replaceAll('/dev/null', ''))
}

/** What is asked may have ended before the reply. */
function ignoreEnded(error: { data?: { code?: string } | null }): void {
  if (error.data?.code !== 'CONFLICT') throw error
}

/** What a reply must not leave open. Of one that was stopped, calls stay as they were. */
function openEnds({ id, role, metadata, parts }: ChatMessage): string[] {
  if (role !== 'assistant') return []
  const { finishReason = 'nothing', error } = metadata ?? {}
  if (!ENDS.includes(finishReason)) return [`${id} has ended with ${finishReason}: ${error?.message ?? ''}`]
  if (finishReason === 'aborted') return []
  return parts
    .filter(isToolPart)
    .filter((part) => !part.state.startsWith('output-') || 'preliminary' in part)
    .map(({ toolCallId, state }) => `${toolCallId} is ${state}`)
}

/** Makes a workspace with links that lead out of it, and the folder that they lead to. */
async function layOut(folder: string): Promise<[work: string, outside: string]> {
  const [work, outside] = [join(folder, 'work'), join(folder, 'outside')]
  await mkdir(join(work, 'folder'), { recursive: true })
  await mkdir(outside)
  await writeFile(join(outside, 'secret.txt'), SECRET)
  await writeFile(join(work, 'a.txt'), 'alpha\n')
  await writeFile(join(work, 'b.txt'), 'beta\n')
  await writeFile(join(work, 'touch.sh'), 'touch "$1"\n')
  await symlink('../outside', join(work, 'link'))
  await symlink('../outside/secret.txt', join(work, 'link-file'))
  return [work, outside]
}

async function pathsIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).toSorted()
}

async function contentOf(folder: string): Promise<string> {
  const names = await pathsIn(folder)
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(String)))
  return JSON.stringify([names, texts])
}

/** A server on this machine that no tool may reach. */
async function startForbidden() {
  const hits: string[] = []
  const server = createServer(({ url = '' }, response) => {
    hits.push(url)
    response.end(SECRET)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    hits,
    origin: `http://127.0.0.1:${portOf(server)}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
