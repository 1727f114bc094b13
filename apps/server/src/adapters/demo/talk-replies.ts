import type { DemoConversation } from './demo-conversation.ts'
import { echo, quote } from './echo.ts'

type Reply = (said: string, turn: number) => string

/** Answers for when nothing in particular was asked for, one after the other, so that a conversation does not repeat. */
const REPLIES: readonly [Reply, ...Reply[]] = [
  (
    said,
    turn,
  ) => `“${echo(said)}” is message ${turn} of this conversation, and I still do not understand a word of it. That is the honest answer of a demo model.

What I do know is where it went. It was written to the store before I was asked anything, it got its place in the order of this session, and only then did this reply begin. If the server had died in between, you would find your message here and an empty place where my answer is.

Would you like to see something that moves? Say \`think\`, \`tools\` or \`diagram\`.`,

  (said) => `I heard ${quote(said)} Here is something true in return.

> A *palimpsest* is a page that was scraped clean to be used again, and on which the older writing can still be read.

The monks of the tenth century did it because parchment was dear. Storage is cheap now, so this chat scrapes nothing: what you send and what you are answered stays. Reload the page in the middle of this sentence and see whether it comes back.`,

  (said, turn) => `Noted: ${quote(said)}

We have now exchanged ${turn} messages. A real model would be reading all of them again before each answer, which is why conversations fill a window. The meter near the composer shows how much of mine is taken. I count roughly, four characters to a token, and say so when I estimate.

To watch it grow quickly, ask for something \`long\`.`,

  (
    said,
  ) => `You said “${echo(said)}”, and I have run out of ways to be surprised. Things to do with a demo model that has run out of ideas:

- ask for a \`rate limit\` and watch the chat wait for its turn,
- ask me to go \`slow\`, then stop me,
- say \`fail\` and see that the next message works as if nothing had happened,
- or pick a real model in the menu and ask it the same question.`,
]

export function talkReply({ said, turn }: DemoConversation): string {
  const reply = REPLIES[Math.max(0, turn - 2) % REPLIES.length] ?? REPLIES[0]
  return reply(said === '' ? '…' : said, turn)
}
