import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isToolPart } from '@palimpsest/core/domain'
import { type ProviderRequest, reply, type ScriptedReply } from '@palimpsest/testing'
import { startProcess } from '../testing/start-process.ts'
import { pathWithoutSandbox } from '../testing/without-sandbox.ts'
import { connect } from './connection.ts'
import { openLabFolder } from './lab-folder.ts'
import { remoteHost } from './remote-host.ts'

export type AttackCall = { name: string; input: object }

/** How a call ended: with a result, with an error, or as a question to a person, who says no. */
export type AttackResult = AttackCall & { ended: 'result' | 'error' | 'asked'; text: string }

/** A server process as it starts without settings, its data inside of its workspace, whose model calls what it is given. */
export async function openPlaceAttack({
  sandboxed = false,
  through = [] as string[],
  mode = 'accept-edits' as 'accept-edits' | 'full-access',
} = {}) {
  await using opened = new AsyncDisposableStack()
  const lab = opened.use(await openLabFolder(answer))
  // The default is `./data`.
  const { DATABASE_URL: _, ...environment } = lab.environment
  const bin = join(lab.folder, 'elsewhere')
  await mkdir(bin)
  const path = sandboxed ? {} : { PATH: await pathWithoutSandbox(bin) }
  const server = opened.use(await startProcess({ ...environment, ...path }, through))
  const connection = opened.use(connect(server.url))
  const { api } = connection
  const host = remoteHost(connection)
  const sessionId = 'attack'
  await api.session.create.mutate({
    id: sessionId,
    title: 'Attack',
    workspaceRoot: server.folder,
    model: { providerId: 'lab', modelId: 'm1' },
  })
  await api.permission.setMode.mutate({ sessionId, mode })

  function answer({ body }: ProviderRequest): ScriptedReply {
    // The provider package builds the body from the conversation.
    const messages = body['messages'] as { role: string; content: unknown }[]
    const last = messages.findLast(({ content }) => !`${content}`.startsWith('<'))
    if (last?.role !== 'user') return reply({ text: 'Done' })
    return reply({ toolCalls: JSON.parse(String(last.content)) })
  }

  /** Replies no to what is asked until the chat is idle. Returns the ids of the calls that were asked about. */
  async function refuseAll(): Promise<Set<string>> {
    const asked = new Set<string>()
    while ((await host.state(sessionId)) !== 'idle') {
      for (const { id, toolCallId } of (await api.permission.pending.query({ sessionId })).items) {
        asked.add(toolCallId)
        await api.permission.reply.mutate({ permissionId: id, reply: 'deny' })
      }
    }
    return asked
  }

  const held = opened.move()
  return {
    folder: server.folder,
    /** The files that `workspace.files` finds for what a person types. */
    found: async (query: string) => (await api.workspace.files.query({ sessionId, query })).paths,
    /** Whether a text was sent to the model in any form. */
    hasSent: (text: string) => lab.provider.requests.some(({ body }) => JSON.stringify(body).includes(text)),
    /** What `session.create` says to a folder. */
    createIn: async (workspaceRoot: string) =>
      await api.session.create.mutate({ workspaceRoot: join(server.folder, workspaceRoot) }).then(
        () => 'created',
        (error: Error) => error.message,
      ),
    async call(calls: readonly AttackCall[]): Promise<AttackResult[]> {
      const text = JSON.stringify(calls)
      await api.session.send.mutate({ sessionId, message: { parts: [{ type: 'text', text }] } })
      const asked = await refuseAll()
      const last = (await host.page(sessionId, null)).items.findLast(({ role }) => role === 'assistant')
      const parts = last?.parts.filter(isToolPart) ?? []
      return calls.map((call, at) => {
        const part = parts[at]
        if (part === undefined) throw new Error(`${text} was not called`)
        const isResult = part.state === 'output-available'
        const ended = asked.has(part.toolCallId) ? 'asked' : isResult ? 'result' : 'error'
        return { ...call, ended, text: JSON.stringify(part) }
      })
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}
