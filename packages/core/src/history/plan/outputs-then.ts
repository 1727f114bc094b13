import type { HistoryKind, HistoryOperation } from '../../domain/history/history-operation.ts'
import type { Outline } from '../../domain/history/outline.ts'
import { withFormUsed } from '../../domain/message/condensed-output.ts'
import type { StoredMessage } from '../../domain/message/message.ts'
import type { FormUse } from '../../ports/index.ts'
import { withMarks } from './marks.ts'
import { findMoment } from './moment.ts'
import type { Moment } from './view.ts'

/** Outputs that the model stops to see, those that it sees again, and condensed forms that go in or out of use. */
export type OutputsChange = { prune: string[]; unprune: string[]; forms: FormUse[] }

type Forms = ReadonlyMap<string, FormUse>

/** What makes the model see each output as it did at a moment, as the operations since have changed it. */
export function outputsThen(outline: Outline, moment: Moment): OutputsChange {
  const { operations } = outline
  const pruned = firstMarks(operations)
  const forms: Forms[] = [firstForms(operations)]
  let prunedThen: ReadonlyMap<string, boolean> = pruned
  for (const [index, operation] of operations.entries()) {
    if (index === moment.operations) prunedThen = new Map(pruned)
    mark(pruned, operation)
    forms.push(formsAfter(outline, operation, forms))
  }
  const now = forms.at(-1)
  const then = forms[moment.operations] ?? now
  const turned = [...pruned.keys()].filter((id) => prunedThen.get(id) !== pruned.get(id))
  return {
    prune: turned.filter((id) => pruned.get(id) === false),
    unprune: turned.filter((id) => pruned.get(id) === true),
    forms: [...(then ?? [])].flatMap(([key, form]) => (now?.get(key)?.used === form.used ? [] : [form])),
  }
}

/** Each message with its outputs as they will be after the change, which happens at `at`. */
export function withOutputs(
  { prune, unprune, forms }: OutputsChange,
  at: number,
): (message: StoredMessage) => StoredMessage {
  const restore = withMarks(unprune, null)
  const leaveOut = withMarks(prune, at)
  return (message) => withForms(leaveOut(restore(message)), forms)
}

function withForms(message: StoredMessage, forms: readonly FormUse[]): StoredMessage {
  const { condensed } = message.metadata
  const own = forms.filter(({ messageId }) => messageId === message.id)
  if (condensed === undefined || own.length === 0) return message
  const used = own.reduce((all, form) => withFormUsed(all, form.toolCallId, form.used), condensed)
  return { ...message, metadata: { ...message.metadata, condensed: used } }
}

/** Whether each part that an operation has marked was pruned before the first of them. */
function firstMarks(operations: readonly HistoryOperation[]): Map<string, boolean> {
  const marks = new Map<string, boolean>()
  for (const { kind, detail } of operations)
    for (const id of detail.partIds ?? []) if (!marks.has(id)) marks.set(id, kind === 'unprune')
  return marks
}

/** Only requests and compactions say what they make of an output; every other operation turns it over. */
function mark(pruned: Map<string, boolean>, { kind, detail }: HistoryOperation): void {
  for (const id of detail.partIds ?? []) pruned.set(id, MARKS[kind] ?? pruned.get(id) === false)
}

const MARKS: Partial<Record<HistoryKind, boolean>> = { prune: true, compaction: true, unprune: false }

function firstForms(operations: readonly HistoryOperation[]): Forms {
  const forms = new Map<string, FormUse>()
  for (const operation of operations) {
    const form = formOf(operation)
    if (form !== null && !forms.has(keyOf(form))) forms.set(keyOf(form), { ...form, used: !form.used })
  }
  return forms
}

/** The forms after an operation, given those before each that came earlier. */
function formsAfter(outline: Outline, operation: HistoryOperation, before: readonly Forms[]): Forms {
  const now = before.at(-1) ?? new Map<string, FormUse>()
  const form = formOf(operation)
  if (form !== null) return new Map(now).set(keyOf(form), form)
  const { pointId } = operation.detail
  const moment = pointId === undefined || now.size === 0 ? null : findMoment(outline, pointId)
  return (moment && before[moment.operations]) ?? now
}

function formOf({ kind, detail }: HistoryOperation): FormUse | null {
  const { targetMessageId, toolCallId } = detail
  if (targetMessageId === undefined || toolCallId === undefined) return null
  if (kind !== 'uncondense' && kind !== 'recondense') return null
  return { messageId: targetMessageId, toolCallId, used: kind === 'recondense' }
}

function keyOf({ messageId, toolCallId }: FormUse): string {
  return `${messageId} ${toolCallId}`
}
