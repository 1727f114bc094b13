import type { HistoryKind } from '@palimpsest/core/domain'
import {
  ArrowLeftRight,
  Eye,
  EyeOff,
  FileDiff,
  FoldVertical,
  GitBranch,
  type LucideIcon,
  Maximize2,
  Minimize2,
  PackageMinus,
  PackagePlus,
  Redo2,
  Undo2,
  UnfoldVertical,
} from 'lucide-react'

const ICONS: Record<HistoryKind, LucideIcon> = {
  rewind: Undo2,
  unrewind: Redo2,
  compaction: FoldVertical,
  uncompaction: UnfoldVertical,
  prune: PackageMinus,
  unprune: PackagePlus,
  uncondense: Maximize2,
  recondense: Minimize2,
  leaveout: EyeOff,
  bringback: Eye,
  revert: FileDiff,
  branch: GitBranch,
  switch: ArrowLeftRight,
}

export function OperationIcon({ kind }: { kind: HistoryKind }) {
  const Icon = ICONS[kind]
  return <Icon aria-hidden size={15} />
}
