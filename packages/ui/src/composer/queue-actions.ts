export type QueueActions = {
  onEdit: (messageId: string, text: string) => void
  /** Told the words of an edit whose chip went away before they were saved. */
  onLeft: (text: string) => void
  /** `index` is the place in the queue after the move, from 0. */
  onMove: (messageId: string, index: number) => void
  onSendNow: (messageId: string) => void
  onRemove: (messageId: string) => void
}
