import { z } from 'zod'
import { defineTool, ToolError } from './tool.ts'

/** Loads the body of a skill, once for as long as the model sees it. */
export const skillTool = defineTool({
  id: 'skill',
  description:
    'Load the instructions of one of the skills that the system prompt lists, before you do what its description is about. ' +
    'They stay in the conversation: load each once.',
  input: z.object({ name: z.string().min(1).max(64).describe('Name of the skill') }),
  requires: () => [],
  // Of two calls in one step for one skill the second one finds it loaded.
  parallel: false,
  async execute({ name }, { skills }) {
    if (!skills.names.includes(name)) {
      const known = skills.names.length === 0 ? 'There are none.' : `There are: ${skills.names.join(', ')}.`
      throw new ToolError(`There is no skill ${name}. ${known}`)
    }
    if (skills.isLoaded(name)) return { text: `The skill ${name} is loaded already.` }
    const loaded = await skills.load(name)
    if (loaded.type === 'refused') throw new ToolError(`The skill ${name} cannot be read. ${loaded.why}`)
    return { text: loaded.text, data: { skill: name } }
  },
})
