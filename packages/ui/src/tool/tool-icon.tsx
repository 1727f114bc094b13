import {
  Brain,
  FilePen,
  FileText,
  FolderSearch,
  Globe,
  ListTodo,
  type LucideIcon,
  MessageCircleQuestion,
  SearchCode,
  SquareTerminal,
  Wrench,
} from 'lucide-react'

const ICONS: Record<string, LucideIcon> = {
  read: FileText,
  write: FilePen,
  edit: FilePen,
  glob: FolderSearch,
  grep: SearchCode,
  bash: SquareTerminal,
  todo: ListTodo,
  question: MessageCircleQuestion,
  web_search: Globe,
  web_fetch: Globe,
  task: Brain,
  memory_write: Brain,
  memory_read: Brain,
  memory_list: Brain,
  memory_delete: Brain,
  recall: SearchCode,
}

/** The icon of a known tool; a wrench for any other. */
export function ToolIcon({ name }: { name: string }) {
  const Icon = (Object.hasOwn(ICONS, name) ? ICONS[name] : undefined) ?? Wrench
  return <Icon aria-hidden size={15} className="text-faint" />
}
