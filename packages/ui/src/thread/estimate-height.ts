import type { ChatMessage } from '@palimpsest/core/domain'

/** Estimates the height of a message before it is rendered, in pixels, for the scroll bar. */
export function estimateHeight(message: ChatMessage | undefined): number {
  if (!message) return 100
  const user = message.role === 'user'
  const perLine = user ? 60 : 75
  const lineHeight = user ? 22 : 30
  const lines = message.parts.reduce((sum, part) => {
    if (part.type === 'text')
      return sum + Math.ceil(part.text.length / perLine) + part.text.split('\n').length
    if (part.type === 'file') return sum + 6
    return part.type === 'step-start' ? sum : sum + 1.5
  }, 0)
  return 64 + lines * lineHeight
}
