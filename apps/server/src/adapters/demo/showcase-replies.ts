/** Scripted answers, each to show one thing: how a kind of content is drawn, or how the chat behaves. */
export const SHOWCASE_REPLIES = {
  diagram: `Here is the way of one message, from you to the store and back to the page:

\`\`\`mermaid
sequenceDiagram
  participant You
  participant Server
  participant Store
  participant Model
  You->>Server: a message
  Server->>Store: keep it
  Server->>Model: ask
  loop every chunk
    Model-->>Server: a few words
    Server->>Store: keep them
    Server-->>You: show them
  end
  Server->>Store: usage, and the end
\`\`\`

The order is the point. The words are kept **before** they are shown, so whatever you have read is there after a crash. The drawing is made from the text above it, which arrived word by word like any other.`,

  code: `A function in TypeScript, and the same idea in SQL. Both were coloured while they arrived.

\`\`\`ts
/** Groups the items of a list by a key. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
\`\`\`

\`\`\`sql
SELECT author, count(*) AS letters
FROM correspondence
WHERE sent_at >= '2026-01-01'
GROUP BY author
ORDER BY letters DESC;
\`\`\`

A block can be copied with the button in its corner, and \`inline code\` stays in its line.`,

  table: `A table, with numbers aligned to the right:

| Material | In use since | Can be scraped off | Pages a sheet |
| :--- | ---: | :---: | ---: |
| Clay tablet | about 3300 BC | while wet | 2 |
| Papyrus | about 2900 BC | hardly | 1 |
| Parchment | about 200 BC | yes | 2 |
| Paper | about AD 100 | no | 2 |

Parchment is the one that gave us the *palimpsest*: a page scraped clean and written over, on which the older text can still be read. Wide tables scroll within themselves and leave the page where it is.`,

  math: `Inside a line: the sum of the first $n$ whole numbers is $\\tfrac{n(n+1)}{2}$. On lines of their own, the same for squares, and an integral that needs no numbers at all:

$$
\\sum_{k=1}^{n} k^2 = \\frac{n(n+1)(2n+1)}{6}
$$

$$
\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi}
$$

Half a formula cannot be drawn, so each waits for its closing signs and then appears.`,

  queue: `Let us try the queue. I will keep writing for a little while; send me two or three messages before I am done.

They will not interrupt me, and none will be refused. Each waits in line under this reply, stored on the server like everything else, so a reload or a restart does not lose them. While one waits you can:

1. **edit** it, if you have thought better of it,
2. **remove** it, as if it had never been sent,
3. **move** it before another,
4. or **send it now**, which stops me and lets it go first.

When I finish, the first in line is sent by itself, then the next. If I end in an error the line stands still, because the next message may not make sense any more; then it is up to you.

That is all I had to say. If you sent something in the meantime, it is your turn now.`,

  afterLimit: `There, the third try went through.

The provider refused twice with status 429 and said how long to wait: once in milliseconds, once in seconds. The chat showed that it was waiting, counted its tries, and asked again on time. You had nothing to do, and your message was not sent twice.

Had it been refused once more, this turn would have ended with that error, and the message would still be here to send again.`,

  slow: `I will take my time, so that you can take yours. Every word of this reply comes after a pause that is long enough to notice, and the whole of it lasts about a minute. You are not meant to wait for the end. You are meant to press Stop.

When you do, three things happen. The connection to the model is closed at once, so that no more words are made, or paid for. What has arrived until then stays exactly as it is, in the middle of a sentence if need be, marked as stopped. And the chat is free again: you can write the next message in the same second.

Closing this page is something else. That is only leaving, not stopping. The reply goes on without you, is stored word for word, and waits for you here, finished, when you come back. Try that too, if you like: close the tab now, count to ten, and open it again. You will find more text than you left, and it will still be growing.

There is one more thing to try while I am still talking. Open this chat in a second window and put the two side by side. Both will show the same words at the same time, and if you press Stop in one of them, the other stops as well, because there is only one reply, and both are just looking at it.

I have a few more sentences, mostly to give you the time. A scribe with a good hand wrote about as fast as I do now, and a book took him a winter. Nobody could stop him with a button. On the other hand, nobody lost his page by closing a window either.

That is a minute, more or less. If you let me finish, you are a patient reader, and I thank you for it.`,
} as const
