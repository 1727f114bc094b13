import type { DemoConversation } from './demo-conversation.ts'
import { recogniseRequest } from './demo-request.ts'
import { quote } from './echo.ts'

/** The first thing anyone reads: what this is, what it can show, and how to get a real model. */
export function tourReply({ said, files }: DemoConversation): string {
  return `${greeting(said)}${files > 0 ? ATTACHED : ''}

I am the **demo model**: a small script inside this server, with no intelligence, no network and no key. I am here so that you can see how the chat itself behaves. What happens around my words is real: each one was stored before it reached your screen.

## Ask me for

| Say | And you will see |
| --- | --- |
| \`think\` | reasoning that streams first and folds away |
| \`tools\` | tool calls, their input as it is written, and what I make of the results |
| \`edit a file\` | a change that you see, and allow or deny, before it is made |
| \`spend your budget\` | a limit that warns, ends a reply, and is raised |
| \`ask a subagent\` | a second agent at work inside this chat, with a card to watch, stop and open it |
| \`ask me\` | two questions, and a reply that waits for your answers |
| \`long\` | some 60 kB of text, to scroll through while it grows |
| \`slow\` | a minute of words, enough time to press Stop |
| \`rate limit\` | a provider that refuses twice, and a chat that waits and tries again |
| \`fail\` | an error, said plainly |
| \`queue\` | what becomes of messages you send before I am done |
| \`diagram\`, \`code\`, \`table\`, \`math\` | how each of them is drawn |

## Then try to lose something

- [x] Send a first message
- [ ] Reload the page while I am still writing
- [ ] Open this chat in a second tab and watch both
- [ ] Stop me in the middle of a sentence
- [ ] Kill the server, start it again, and come back

You can also leave the page out. This is a whole client:

\`\`\`ts
import { createClient } from '@palimpsest/client'

await using client = createClient({ url: 'http://127.0.0.1:3000' })
const session = await client.session.create.mutate({})
await client.session.send.mutate({
  sessionId: session.id,
  message: { parts: [{ type: 'text', text: 'Hello from a script' }] },
})
\`\`\`

Formulas work inside a line as well, as in $$e^{i\\pi} + 1 = 0$$.

## A model that thinks

1. Open Settings, Models, and paste the key of a provider. Its models can be chosen at once.
2. Or start Ollama, LM Studio or a llama.cpp server on this machine: its models appear by themselves.

Then choose it in the model menu. This conversation will go on where it is.`
}

const ATTACHED = ' You attached something too; it is kept with your message, but I cannot look inside.'

function greeting(said: string): string {
  if (said === '') return 'Hello.'
  if (/^(hi|hello|hey|good (morning|evening|day))\b/i.test(said)) return 'Hello, and welcome.'
  if (recogniseRequest(said) === 'help') return 'With pleasure.'
  return `You wrote ${quote(said)} A real model would answer that. I can only quote it back to you.`
}
