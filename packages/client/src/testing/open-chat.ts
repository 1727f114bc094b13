import { useChat } from '@ai-sdk/react'
import type { ChatMessage } from '@palimpsest/core/domain'
import type { ChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import { Window } from 'happy-dom'
import { createElement } from 'react'

type Chat = ReturnType<typeof useChat<ChatMessage>>

type ChatOptions = {
  id: string
  transport: ChatTransport<ChatMessage>
  messages?: ChatMessage[]
  resume?: boolean
  sendAutomaticallyWhen?: typeof lastAssistantMessageIsCompleteWithApprovalResponses
}

/** A page with a stock `useChat`. */
export interface ChatPage extends AsyncDisposable {
  /** The chat of the last render. */
  readonly chat: Chat
  /** Resolves with the chat of the first render that matches. */
  until(looksSo: (chat: Chat) => boolean): Promise<Chat>
}

/** Renders `useChat` with an id, a transport and the initial messages. */
export async function openChat(options: ChatOptions): Promise<ChatPage> {
  provideDom()
  const { createRoot } = await import('react-dom/client')
  const root = createRoot(document.createElement('div'))
  const watchers = new Set<(chat: Chat) => void>()
  const first = Promise.withResolvers<Chat>()
  let latest: Chat | null = null

  const onRender = (chat: Chat) => {
    latest = chat
    first.resolve(chat)
    for (const watch of watchers) watch(chat)
  }
  root.render(createElement(Page, { options, onRender }))
  const opened = await first.promise

  return {
    get chat() {
      return latest ?? opened
    },
    until(looksSo) {
      return new Promise((resolve) => {
        const watch = (chat: Chat) => {
          if (!looksSo(chat)) return
          watchers.delete(watch)
          resolve(chat)
        }
        watchers.add(watch)
        watch(latest ?? opened)
      })
    },
    [Symbol.asyncDispose]() {
      root.unmount()
      return Promise.resolve()
    },
  }
}

function Page({ options, onRender }: { options: ChatOptions; onRender: (chat: Chat) => void }) {
  onRender(useChat<ChatMessage>(options))
  return null
}

/** Only what React needs: fetch and WebSocket stay those of Node. */
function provideDom(): void {
  if ('document' in globalThis) return
  const window = Object.assign(new Window(), { fetch: globalThis.fetch })
  Object.assign(globalThis, { window, document: window.document })
}
