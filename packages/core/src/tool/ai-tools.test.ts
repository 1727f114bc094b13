import { asSchema } from 'ai'
import { expect, test } from 'vitest'
import { toAiTools } from './ai-tools.ts'
import { createToolSearch } from './mcp/tool-search.ts'
import { readTool } from './read.ts'
import { createTaskTool, TASK_TOOL } from './task.ts'

test('PF-12 the definition of a tool is made once for all runs', () => {
  expect(toAiTools([readTool])['read']).toBe(toAiTools([readTool])['read'])
})

test('PF-12 the tool for subagents is the same one for the same agents', () => {
  const choices = () => [{ id: 'explore', description: 'Looks around' }]
  expect(createTaskTool(choices())).toBe(createTaskTool(choices()))
  expect(createTaskTool(choices())).not.toBe(createTaskTool([]))
})

test('PF-12 a tool that is another one in each run has its own description, and the schema that was made before', () => {
  const schemas = [[], [{ id: 'explore', description: 'Looks around' }]].map((choices) => {
    const made = toAiTools([createTaskTool(choices)])[TASK_TOOL]
    expect(made?.description).toContain(choices.map(({ id }) => `- ${id}`).join())
    return made?.inputSchema
  })
  expect(schemas[0]).toBe(schemas[1])
  expect(asSchema(schemas[0]).jsonSchema).toMatchObject({ required: ['subagent_type', 'prompt'] })
  const searches = [createToolSearch([]), createToolSearch([readTool])].map(
    (tool) => toAiTools([tool])[tool.id],
  )
  expect(searches[0]?.inputSchema).toBe(searches[1]?.inputSchema)
})
