'use client'

export { AskDock, type AskDockHandle, type AskDockProps, type ShownAsk } from './ask/ask-dock.tsx'
export { type AskDraft, EMPTY_ASK_DRAFT, enteredText } from './ask/ask-draft.ts'
export {
  type ChangedFileView,
  ChangesList,
  type ChangesListProps,
  type ChangesScope,
  FileParts,
} from './changes/changes-list.tsx'
export { ExactPath, FileFates, type FileFatesProps } from './changes/file-fates.tsx'
export {
  type ComposerAttachment,
  readAsDataUrl,
} from './composer/attachment.ts'
export { Composer } from './composer/composer.tsx'
export type { ComposerHandle, ComposerProps } from './composer/composer-field.tsx'
export type { SendKey, SendMode } from './composer/composer-key.ts'
export { MentionList, type MentionListProps } from './composer/mention-list.tsx'
export { PageFileDrop } from './composer/page-file-drop.tsx'
export { PASTED_TEXT } from './composer/pasted-files.ts'
export type { QueueActions } from './composer/queue-chip.tsx'
export {
  QueueChips,
  type QueueChipsProps,
  type QueuePause,
} from './composer/queue-chips.tsx'
export type { SlashCommand } from './composer/slash-command.ts'
export { ExactText } from './exact/exact-text.tsx'
export { visibleText, visibleWords } from './exact/visible-text.ts'
export { FindBar, type FindState } from './find/find-bar.tsx'
export { FindList, type FindMatch } from './find/find-list.tsx'
export { createFormat, type Format } from './format/format.ts'
export {
  type BranchNode,
  BranchTree,
  type BranchTreeProps,
} from './history/branch-tree.tsx'
export {
  CompactionDivider,
  type CompactionDividerProps,
} from './history/compaction-divider.tsx'
export {
  CompactionNotice,
  type CompactionNoticeProps,
} from './history/compaction-notice.tsx'
export { CompareHead, type CompareHeadProps } from './history/compare-head.tsx'
export type { ComparedTurn, CompareSide, CompareTurn, Which } from './history/compare-side.ts'
export { CompareTarget, type CompareTargetProps, type Target } from './history/compare-target.tsx'
export { CompareView, type CompareViewProps } from './history/compare-view.tsx'
export { ContextActions, type ContextActionsProps } from './history/context-actions.tsx'
export { FitDialog, type FitDialogProps, type Misfit } from './history/fit-dialog.tsx'
export { HiddenHeader, RestoreHidden } from './history/hidden-header.tsx'
export { HistoryActions, type HistoryActionsProps } from './history/history-actions.tsx'
export { HistoryRail, type RailMark, type RailStop } from './history/history-rail.tsx'
export { HistoryTrace, type HistoryTraceProps } from './history/history-trace.tsx'
export {
  type Crumb,
  LineageCrumbs,
  type LineageCrumbsProps,
} from './history/lineage-crumbs.tsx'
export { MessageVersions, type MessageVersionsProps } from './history/message-versions.tsx'
export { PREVIEW_RESTORE_ID, PreviewBar } from './history/preview-bar.tsx'
export { type Prompt, PromptList, type PromptListProps } from './history/prompt-list.tsx'
export { type QuestionLine, QuestionList, type QuestionListProps } from './history/question-list.tsx'
export type { RewindEffect } from './history/rewind-editor.tsx'
export { RewindEditor, type RewindEditorProps } from './history/rewind-editor.tsx'
export { RewindTray, type RewindTrayProps } from './history/rewind-tray.tsx'
export { SidePanel, type SidePanelProps, usePanelIsSheet } from './history/side-panel.tsx'
export type { TimelineEntry } from './history/timeline-entry.ts'
export { TimelineList, type TimelineListProps } from './history/timeline-list.tsx'
export type { SentPoint } from './history/timeline-sent-row.tsx'
export type { Version } from './history/version-switch.tsx'
export { VersionSwitch, type VersionSwitchProps } from './history/version-switch.tsx'
export { type LazyModule, lazyModule, whenLoaded } from './lazy/lazy-module.ts'
export { preloadOnInteraction } from './lazy/preload-on-interaction.ts'
export { useLazy } from './lazy/use-lazy.ts'
export {
  Markdown,
  type MarkdownProps,
  markdownRenderer,
} from './markdown/markdown.tsx'
export {
  AssistantMessage,
  type AssistantMessageProps,
} from './message/assistant-message.tsx'
export { budgetUseText } from './message/budget-use.ts'
export type { MessageActions, WaysOut } from './message/message-actions.ts'
export {
  MessageNotice,
  type MessageNoticeProps,
  NoticeLine,
  type NoticeLineProps,
} from './message/message-notice.tsx'
export { messageText } from './message/message-text.ts'
export { type Notice, noticeFor } from './message/notice.ts'
export { Reasoning, type ReasoningProps } from './message/reasoning.tsx'
export { UserMessage, type UserMessageProps } from './message/user-message.tsx'
export { en, type Messages } from './messages/en.ts'
export { changesWords } from './messages/en-changes.ts'
export { pageWords } from './messages/en-pages.ts'
export {
  MessagesProvider,
  type MessagesProviderProps,
  useFormat,
  useMessages,
} from './messages/messages-context.tsx'
export { plural } from './messages/plural.ts'
export type { ContextMeterProps } from './meter/context-breakdown.tsx'
export { ContextMeter } from './meter/context-meter.tsx'
export { ModeMenu, type ModeMenuProps, nextMode } from './mode/mode-menu.tsx'
export { PlanBar } from './mode/plan-bar.tsx'
export { modelLabel } from './model/find-model.ts'
export type { ModelPickerProps } from './model/model-panel.tsx'
export { ModelPicker } from './model/model-picker.tsx'
export {
  CommandPalette,
  type CommandPaletteProps,
} from './palette/command-palette.tsx'
export type { PaletteCommand } from './palette/palette-command.ts'
export { CopyButton } from './popups/copy-button.tsx'
export { Dialog } from './popups/dialog.tsx'
export type { DialogProps } from './popups/dialog-layer.tsx'
export { IconButton, type IconButtonProps } from './popups/icon-button.tsx'
export { Menu, MenuItem, MenuSeparator } from './popups/menu.tsx'
export type { MenuItemProps } from './popups/menu-layer.tsx'
export { Button, type ButtonProps } from './primitives/button.tsx'
export { copyText } from './primitives/copy-text.ts'
export { isPlainClick } from './primitives/is-plain-click.ts'
export { Kbd } from './primitives/kbd.tsx'
export { useHeldKeys } from './primitives/use-held-keys.ts'
export { isMac, useIsMac } from './primitives/use-is-mac.ts'
export { AppShell, type AppShellProps } from './shell/app-shell.tsx'
export {
  ConfirmDialog,
  type ConfirmDialogProps,
} from './shell/confirm-dialog.tsx'
export {
  ConnectionBanner,
  type ConnectionBannerProps,
  type ConnectionState,
} from './shell/connection-banner.tsx'
export {
  EmptyState,
  type EmptyStateProps,
  type Suggestion,
} from './shell/empty-state.tsx'
export { ErrorPanel } from './shell/error-panel.tsx'
export { ErrorView } from './shell/error-view.tsx'
export { NotFound } from './shell/not-found.tsx'
export { NotFoundView } from './shell/not-found-view.tsx'
export {
  SessionHeader,
  type SessionHeaderProps,
} from './shell/session-header.tsx'
export { type ShortcutGroup, ShortcutList, type ShortcutListProps } from './shell/shortcut-list.tsx'
export { ShortcutsDialog, type ShortcutsDialogProps } from './shell/shortcuts-dialog.tsx'
export { BareBar, SidebarOpener } from './shell/sidebar-toggle.tsx'
export { StatusDot } from './shell/status-dot.tsx'
export type { Theme } from './shell/theme.ts'
export type { Toast } from './shell/toast-layer.tsx'
export { ToastRegion } from './shell/toast-region.tsx'
export {
  type Shell,
  type ShellOptions,
  useShell,
  useShellState,
} from './shell/use-shell.tsx'
export { Wordmark } from './shell/wordmark.tsx'
export type { SidebarSession } from './sidebar/group-sessions.ts'
export type { SessionRowActions } from './sidebar/session-row.tsx'
export { Sidebar, type SidebarProps } from './sidebar/sidebar.tsx'
export type { MessageExtras } from './thread/message-extras.ts'
export {
  Thread,
  type ThreadHandle,
  type ThreadProps,
} from './thread/thread.tsx'
export type { ThreadPlace } from './thread/thread-place.ts'
export { SentWords, ThreadSkeleton } from './thread/thread-skeleton.tsx'
export { ruleLine } from './tool/decision-line.tsx'
export { plainOutput } from './tool/plain-output.ts'
export { type ShowChange, ShowChangeProvider } from './tool/show-change.ts'
export { SubagentProvider, type SubagentRunProps } from './tool/subagent-run.tsx'
export { ToolCall, type ToolCallProps } from './tool/tool-call.tsx'
export { isRecord, type ToolPart, type ToolState, toolTarget, toolTitle } from './tool/tool-part.ts'
export { WaitingCallsProvider } from './tool/waiting-calls.ts'
