import { PERMISSION_MODES } from '@palimpsest/core/domain'
import { toPrompt } from '../script.ts'
import type { Row } from '../table.ts'
import { MODEL, type OurTarget, readRun } from '../targets/our-target.ts'

/** Tokens, counted as a quarter of the bytes. */
const GOAL = { tokens: 3_000, withoutWorkspace: 1_500 }
const BYTES_OF_A_TOKEN = 4

/** The settings of a session: each mode in the server's workspace, and no workspace. */
const SESSIONS = [
  ...PERMISSION_MODES.map((mode) => ({ what: `mode ${mode}`, most: GOAL.tokens, settings: { mode } })),
  { what: 'without a workspace', most: GOAL.withoutWorkspace, settings: { workspaceRoot: null } },
]

/** SY-7: what the first request of a chat carries beside its messages: system prompt and tool definitions. */
export async function measureFixedPart(ours: OurTarget): Promise<Row[]> {
  const client = ours.connect()
  const rows: Row[] = []
  for (const { what, most, settings } of SESSIONS) {
    const { id: sessionId } = await client.session.create.mutate({
      title: 'Bench',
      model: MODEL,
      ...settings,
    })
    const message = { parts: [{ type: 'text' as const, text: toPrompt({ deltas: 0, weighs: true }) }] }
    const { runId } = await client.session.send.mutate({ sessionId, message })
    if (runId === undefined) throw new Error('The message was queued')
    let bytes = ''
    await readRun(client, { sessionId, runId }, (text) => {
      bytes += text
    })
    const tokens = Math.ceil(Number(bytes) / BYTES_OF_A_TOKEN)
    rows.push({
      rule: 'SY-7',
      what: `system prompt and tools, ${what}`,
      bare: '',
      ours: `${tokens} tokens`,
      result: `${bytes} bytes`,
      goal: `≤ ${most} tokens`,
      holds: tokens <= most,
    })
  }
  await client.dispose()
  return rows
}
