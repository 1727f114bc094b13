import { useEffect, useImperativeHandle, useRef } from 'react'
import { markdownRenderer } from '../markdown/markdown.tsx'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import { useListNavigation } from '../primitives/use-list-navigation.ts'
import { AttachButton } from './attach-button.tsx'
import { AttachmentStrip } from './attachment-strip.tsx'
import type { ComposerProps } from './composer-field.tsx'
import { ComposerField } from './composer-field.tsx'
import { ComposerHints } from './composer-hints.tsx'
import type { SendMode } from './composer-key.ts'
import { SendButton } from './send-button.tsx'
import { parseSlash, type SlashCommand, slashMatches } from './slash-command.ts'
import { SlashMenu } from './slash-menu.tsx'
import { useFileDrop } from './use-file-drop.ts'

const NO_COMMANDS: readonly SlashCommand[] = []

/** Where messages are written. Text and attachments are the caller's, so that drafts survive. */
export function Composer(props: ComposerProps) {
  const { value, attachments, running, commands = NO_COMMANDS } = props
  const { composer } = useMessages()
  const field = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(props.ref, () => ({ focus: () => field.current?.focus() }), [])
  const drop = useFileDrop(props.onAttach)

  const empty = value.trim() === '' && attachments.length === 0
  const ready = attachments.every((attachment) => attachment.state.type === 'ready')
  const off = props.disabled === true || !ready

  // A reply follows a message: preload what renders it.
  useEffect(() => {
    if (!empty) markdownRenderer.load()
  }, [empty])

  const send = (mode: SendMode) => {
    const call = parseSlash(value, commands)
    if (call && props.onCommand) props.onCommand(call.command.name, call.argument)
    else if (!empty && !off) props.onSend(mode)
  }

  const matching = slashMatches(value, commands)
  const chooseCommand = (index: number) => {
    const command = matching?.[index]
    if (!command) return
    if (command.takes) props.onValueChange(`/${command.name} `)
    else props.onCommand?.(command.name, '')
    field.current?.focus()
  }
  const list = useListNavigation(matching?.length ?? 0, value, chooseCommand)
  const menuOpen = matching !== null && commands.length > 0

  return (
    <div className="composer mx-auto w-full max-w-column">
      <div className="relative">
        {props.mentions?.({ field, value, onValueChange: props.onValueChange })}
        {menuOpen && <SlashMenu commands={matching} list={list} onChoose={chooseCommand} />}
        <div
          {...drop.handlers}
          data-takes-files
          className={cx(
            'relative rounded-2xl border bg-raised shadow-raised transition',
            drop.over ? 'border-ink' : 'border-line-strong focus-within:border-faint',
          )}
        >
          {props.above}
          {attachments.length > 0 && (
            <AttachmentStrip
              attachments={attachments}
              onRemove={props.onRemoveAttachment}
              onInsertText={props.onInsertText}
            />
          )}
          {props.fileNotice}
          <ComposerField
            {...props}
            field={field}
            empty={empty}
            menu={menuOpen ? list : null}
            placeholder={props.placeholder ?? (running ? composer.placeholderRunning : composer.placeholder)}
            onSend={send}
          />
          <div className="flex items-center gap-1 px-2 pb-2">
            <AttachButton onFiles={props.onAttach} />
            {props.footStart}
            <span className="grow" />
            {props.footEnd}
            <SendButton
              running={running}
              empty={empty}
              disabled={off || (empty && !running)}
              onSend={() => send(running ? 'queue' : 'send')}
              onStop={props.onStop}
            />
          </div>
          {drop.over && (
            <div className="pointer-events-none absolute inset-0 flex items-center justify-center rounded-2xl bg-raised font-medium text-ink opacity-95">
              {composer.dropHere}
            </div>
          )}
        </div>
      </div>
      <ComposerHints
        running={running}
        empty={empty}
        commands={commands.length > 0}
        known={props.hints === false}
        sendKey={props.sendKey ?? 'enter'}
      />
    </div>
  )
}
