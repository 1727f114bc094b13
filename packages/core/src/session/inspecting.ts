import { AppError } from '../domain/errors.ts'
import type { ModelRef } from '../domain/model/model.ts'
import { INSPECT_LIMITS } from '../domain/session/inspection.ts'
import type { Session } from '../domain/session/session.ts'
import type { Models, Store } from '../ports/index.ts'
import { toolsOfPrompt } from '../prompt/tools-of-prompt.ts'
import type { Agent } from '../run/agent.ts'
import { inspectMessage } from './inspect-message.ts'
import { inspectRows } from './inspect-rows.ts'
import type { InspectQuery, InspectService } from './inspect-service.ts'

type Ports = { store: Store; models: Models; agents: ReadonlyMap<string, Pick<Agent, 'tools'>> }

/** What is stored of a session, as a person who looks into it reads it. Reads messages and prompts, and nothing that has keys. */
export function createInspecting(
  { store, models, agents }: Ports,
  requireSession: (id: string) => Promise<Session>,
): InspectService {
  async function pageOf({ sessionId, limit = INSPECT_LIMITS.messages, cursor }: InspectQuery) {
    await requireSession(sessionId)
    if (!Number.isInteger(limit) || limit < 1 || limit > INSPECT_LIMITS.messages)
      throw new AppError('INVALID_INPUT', `A page has 1 to ${INSPECT_LIMITS.messages} messages.`, {
        field: 'limit',
      })
    return await store.messages.page({
      sessionId,
      limit,
      hidden: true,
      ...(cursor !== undefined && { cursor }),
    })
  }

  async function priceList() {
    const infos = await models.list()
    return (model: ModelRef | undefined) =>
      infos.find(({ providerId, modelId }) => providerId === model?.providerId && modelId === model.modelId)
        ?.prices ?? null
  }

  /** That of today's tool with the id; empty for one of an MCP server or of an earlier version. */
  function descriptionOf(id: string): string {
    const tools = [...agents.values()].flatMap((agent) => agent.tools)
    return tools.find((tool) => tool.id === id)?.description ?? ''
  }

  return {
    async messages(query) {
      const [{ items, nextCursor }, pricesOf] = await Promise.all([pageOf(query), priceList()])
      return { items: items.map((message) => inspectMessage(message, pricesOf)), nextCursor }
    },

    async tools(sessionId, messageId) {
      await requireSession(sessionId)
      const digest = (await store.messages.get(sessionId, messageId))?.metadata.systemPromptDigest
      const body = digest === undefined ? null : await store.messages.systemPrompt(digest)
      if (digest === undefined || body === null)
        throw new AppError('MESSAGE_NOT_FOUND', 'There is no message with a system prompt under this id.')
      const tools = toolsOfPrompt(body)
      const items = tools
        .slice(0, INSPECT_LIMITS.tools)
        .map(({ id, description }) => ({ id, description: description ?? descriptionOf(id) }))
      return { digest, items, leftOut: tools.length - items.length }
    },

    async rows(query) {
      const { items, nextCursor } = await pageOf(query)
      return { items: inspectRows(items), nextCursor }
    },
  }
}
