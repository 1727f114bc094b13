import type { RequestInit, Response } from 'undici'

/** `fetch` of undici that connects only to public addresses. undici is loaded with the first request. */
export type CheckedFetch = {
  fetch(url: URL, init: Omit<RequestInit, 'dispatcher'>): Promise<Response>
  /** Ends the connections. */
  destroy(): Promise<void>
}

/** `isAllowed` names hosts that may be anywhere. */
export function createCheckedFetch(isAllowed: (host: string) => boolean): CheckedFetch {
  let opened: ReturnType<typeof open> | null = null

  async function open() {
    const [{ fetch }, { createCheckedAgent }] = await Promise.all([
      import('undici'),
      import('./checked-agent.ts'),
    ])
    return { fetch, agent: createCheckedAgent(isAllowed) }
  }

  return {
    async fetch(url, init) {
      opened ??= open()
      const { fetch, agent } = await opened
      return await fetch(url, { ...init, dispatcher: agent })
    },
    async destroy() {
      const agent = await opened?.then((parts) => parts.agent)
      await agent?.destroy()
    },
  }
}
