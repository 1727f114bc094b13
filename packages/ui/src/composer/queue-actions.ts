export type QueueActions = {
  onEdit: (messageId: string, text: string) => void
  /** Called with the unsaved text of an edit when its chip is removed. */
  onLeft: (text: string) => void
  /** `index` is the place in the queue after the move, from 0. */
  onMove: (messageId: string, index: number) => void
  onSendNow: (messageId: string) => void
  onRemove: (messageId: string) => void
}
