import { useRef } from 'react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { Dialog } from '../popups/dialog.tsx'
import { Button } from '../primitives/button.tsx'

/** What a switch to a model that can't hold the conversation as it is would do. */
export type Misfit = {
  outcome: 'compacts' | 'too-small'
  modelLabel: string
  used: number
  usable: number
  /** The words at which a branch with that model would start; null when nothing of it fits. */
  branchAt: string | null
}

export type FitDialogProps = {
  /** Null closes it. */
  misfit: Misfit | null
  onClose: () => void
  onSwitch: () => void
  onBranch: () => void
  onNewChat: () => void
}

/** Says what a switch of the model will do before it is done. */
export function FitDialog({ misfit, ...actions }: FitDialogProps) {
  const { fit } = useMessages().history
  const format = useFormat()
  const cancel = useRef<HTMLButtonElement>(null)
  const last = useRef(misfit)
  // The text is kept while the dialog closes.
  const shown = misfit ?? last.current
  last.current = shown
  if (shown === null) return null
  const { outcome, modelLabel, branchAt } = shown
  const [used, usable] = [format.tokens(shown.used), format.tokens(shown.usable)]
  const compacts = outcome === 'compacts'
  return (
    <Dialog
      open={misfit !== null}
      onOpenChange={(open) => open || actions.onClose()}
      title={compacts ? fit.compactsTitle(modelLabel) : fit.tooSmallTitle(modelLabel)}
      description={
        compacts ? fit.compactsBody(used, modelLabel, usable) : fit.tooSmallBody(used, modelLabel, usable)
      }
      initialFocus={cancel}
      className="max-w-[28rem]"
    >
      {!compacts && (
        <p className="px-5 pt-2 text-muted">{branchAt === null ? fit.noBranch : fit.branchAt(branchAt)}</p>
      )}
      <FitButtons {...actions} compacts={compacts} canBranch={branchAt !== null} cancel={cancel} />
    </Dialog>
  )
}

type FitButtonsProps = Omit<FitDialogProps, 'misfit'> & {
  compacts: boolean
  canBranch: boolean
  cancel: { current: HTMLButtonElement | null }
}

function FitButtons({ compacts, canBranch, cancel, ...actions }: FitButtonsProps) {
  const { history, app } = useMessages()
  return (
    <div className="flex flex-wrap justify-end gap-2 p-5">
      <Button ref={cancel} onClick={actions.onClose}>
        {app.cancel}
      </Button>
      {compacts && (
        <Button variant="primary" onClick={actions.onSwitch}>
          {history.fit.switch}
        </Button>
      )}
      {!compacts && canBranch && (
        <Button variant="primary" onClick={actions.onBranch}>
          {history.fit.branch}
        </Button>
      )}
      {!compacts && !canBranch && (
        <Button variant="primary" onClick={actions.onNewChat}>
          {history.fit.newChat}
        </Button>
      )}
    </div>
  )
}
