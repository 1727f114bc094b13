import { type ChatPart, type StoredMessage, toChatMessage } from './message.ts'

export type SteeringPart = Extract<ChatPart, { type: 'steering-message' }>

/** A message's words as they go on inside the reply that it steers; also the chunk that shows them. */
export function toSteeringPart(message: StoredMessage): SteeringPart {
  const { id, parts } = toChatMessage(message)
  const words = parts.filter((part) => part.type === 'text' || part.type === 'file')
  return { type: 'steering-message', id, parts: words }
}
