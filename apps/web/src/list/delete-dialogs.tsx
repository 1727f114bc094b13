import { ConfirmDialog } from '@palimpsest/ui'
import { words } from '../words/en.ts'
import type { Deletion } from './use-deletion.ts'

/** Asks before a chat is moved to the bin, and before it is deleted forever. */
export function DeleteDialogs({ deletion }: { deletion: Deletion }) {
  const { pending, cancel, confirm } = deletion
  const onOpenChange = (isOpen: boolean) => isOpen || cancel()
  const toBin = pending?.to === 'bin'
  return (
    <>
      <ConfirmDialog
        open={toBin}
        onOpenChange={onOpenChange}
        title={words.deleteTitle}
        description={toBin ? words.deleteBody(pending) : ''}
        confirmLabel={words.delete}
        danger
        onConfirm={() => void confirm(false)}
        {...(toBin &&
          pending.branches > 0 && {
            alternative: {
              label: words.deleteWithBranches(pending.branches),
              onSelect: () => void confirm(true),
            },
          })}
      />
      <ConfirmDialog
        open={pending?.to === 'nowhere'}
        onOpenChange={onOpenChange}
        title={words.purgeTitle}
        description={pending?.to === 'nowhere' ? words.purgeBody(pending.title) : ''}
        confirmLabel={words.purge}
        danger
        onConfirm={() => void confirm(false)}
      />
    </>
  )
}
