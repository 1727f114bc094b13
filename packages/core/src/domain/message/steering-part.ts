import { type ChatPart, type StoredMessage, toChatMessage } from './message.ts'

export type SteeringPart = Extract<ChatPart, { type: 'steering-message' }>

/** A steering message as a part of the reply that it steers; also the chunk that shows it. */
export function toSteeringPart(message: StoredMessage): SteeringPart {
  const { id, parts } = toChatMessage(message)
  const words = parts.filter((part) => part.type === 'text' || part.type === 'file')
  return { type: 'steering-message', id, parts: words }
}
