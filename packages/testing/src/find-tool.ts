import { z } from 'zod'
import { defineTool } from '../../core/src/tool/tool.ts'
import { words } from './history-lab.ts'

/** Finds something of so many tokens. */
export const findTool = defineTool({
  id: 'find',
  description: 'Finds',
  input: z.object({ tokens: z.number() }),
  requires: () => [],
  execute: ({ tokens }) => Promise.resolve({ text: words(tokens, 'needle') }),
})
