/** The queue above the composer, which loads once something is queued. */
export { QueueChips } from '@palimpsest/ui'
