import type { PermissionMode, Session } from '@palimpsest/core/domain'
import { lazyModule, Menu, useLazy } from '@palimpsest/ui'
import { ChevronDown, Folder } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { useModelChoice } from '../model/use-model-choice.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { folderOf, NO_FOLDER } from '../stores/chosen-folder.ts'
import { findModel } from '../stores/model-choice.ts'
import { words } from '../words/en.ts'
import type { FolderItemsProps } from './folder-items.tsx'
import { folderName } from './folder-name.ts'
import { useSystem } from './use-system.ts'

type ModelChoice = ReturnType<typeof useModelChoice>

const folderItems = lazyModule(() => import('./folder-items.tsx'))

/** What a new chat with this model begins with: its folder, and its mode. */
export function useNewChat(enabled: boolean, { models, model }: Pick<ModelChoice, 'models' | 'model'>) {
  const chosen = useStore(useApp().folder)
  const server = useSystem(enabled)
  const [mode, onChange] = useState<PermissionMode>('ask')
  const demo = model !== null && findModel(models, model)?.demo === true
  const { named, value } = folderOf(
    chosen,
    server === undefined ? null : { ...server, demo: demo ? server.demoWorkspace : null },
  )
  const asks = useAsks(enabled ? value : undefined)
  const workspaceRoot = enabled ? named : undefined
  const begins = useMemo(
    () => ({
      ...(workspaceRoot !== undefined && { workspaceRoot }),
      permissionMode: asks ? mode : ('ask' as const),
    }),
    [workspaceRoot, asks, mode],
  )
  return {
    workspaceRoot,
    begins,
    folder: enabled && <NewFolder value={value} demo={demo} />,
    newMode: enabled && asks ? { mode, onChange } : null,
  }
}

/** Whether a chat has tools that ask, so that its mode counts. `folder` is null for a chat without one, undefined while it is not known. */
export function useAsks(folder: string | null | undefined): boolean {
  const system = useSystem(folder === null)
  return typeof folder === 'string' || (folder === null && system?.asksWithoutFolder === true)
}

/** Chooses the folder of the next new chats; `value` is the present one. */
function NewFolder({ value, demo }: { value: string | null | undefined; demo: boolean }) {
  const { folder } = useApp()
  if (value === undefined) return null
  return <FolderMenu value={value} demo={demo} onChange={(path) => folder.set(path ?? NO_FOLDER)} />
}

/** Chooses a folder for a chat without one. */
export function ChatFolder({ session }: { session: Session }) {
  const { client, toasts } = useApp()
  if (session.workspaceRoot !== null || session.metadata.subagent !== undefined) return null
  const choose = (workspaceRoot: string | null) =>
    workspaceRoot !== null &&
    void toasts.guard(client().session.chooseFolder.mutate({ sessionId: session.id, workspaceRoot }))
  return <FolderMenu value={null} demo={false} onChange={choose} />
}

function FolderMenu(props: FolderItemsProps) {
  const { value, demo } = props
  const { label, none, noneHint, demo: demoName } = words.folder
  const isDemo = useSystem(demo)?.demoWorkspace === value
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <button
          type="button"
          title={value ?? noneHint}
          className="relative inline-flex h-control min-w-0 items-center justify-center gap-1.5 rounded-md px-2 text-base coarse:min-w-11 text-muted transition hover:bg-wash hover:text-ink data-popup-open:bg-wash"
        >
          <Folder aria-hidden size={14} className="shrink-0" />
          <span className="sr-only">{label}: </span>
          {/* On a phone the name of the model needs the place; what is chosen is in the menu. */}
          <span className="min-w-0 max-w-40 truncate max-md:sr-only">
            {value === null ? none : isDemo ? demoName : folderName(value)}
          </span>
          <ChevronDown aria-hidden size={14} className="shrink-0 max-md:hidden" />
        </button>
      }
    >
      <Items {...props} />
    </Menu>
  )
}

/** Rendered once the menu opens. */
function Items(props: FolderItemsProps) {
  const loaded = useLazy(folderItems)
  return loaded && <loaded.FolderItems {...props} />
}
