import type { DemoConversation } from './demo-conversation.ts'
import { quote } from './echo.ts'

/** A scripted train of thought and the answer that it leads to. */
export function thinkingReply({ said }: DemoConversation): { reasoning: string; answer: string } {
  return { reasoning: REASONING, answer: `You wrote ${quote(said)} ${ANSWER}` }
}

const REASONING = `The person wants to see reasoning, and I have none of my own, so I need a question whose answer was thought out before. A small classic will do: how often do the hands of a clock lie exactly on top of each other in one day?

The tempting answer is 24, once an hour. Let me check it.

At twelve they meet. The minute hand goes round once an hour, the hour hand only a twelfth of that. To meet again the minute hand must gain one full turn on the other. It gains 11/12 of a turn an hour, so a full turn takes 12/11 hours: one hour, five minutes and about 27 seconds.

In twelve hours that fits 12 ÷ (12/11) = 11 times, not 12. The meeting between eleven and one is the one at twelve itself, so one is lost each half day.

A day has two such halves: 22. I should say how I got there, and that none of this was thought by me.`

const ANSWER = `I cannot think about that, so here is something that was thought through in advance: how often do the two hands of a clock lie on top of each other in a day? **22 times**, not 24.

The minute hand gains on the hour hand by $$\\tfrac{11}{12}$$ of a turn every hour, so from one meeting to the next it takes $$\\tfrac{12}{11}$$ hours, a little over 65 minutes. That fits eleven times into twelve hours, and a day has twelve hours twice.

The lines above this answer are how reasoning looks here: it streams while a model works, folds away when the answer begins, and stays readable. Mine was written in advance. With a real model that reasons, you will see its own.`
