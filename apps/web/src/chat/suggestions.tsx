import type { Suggestion } from '@palimpsest/ui'
import {
  Bot,
  Brain,
  Hourglass,
  ListChecks,
  MessageCircleQuestion,
  ScrollText,
  Sparkles,
  Waypoints,
} from 'lucide-react'

/** A suggestion with the prompt that it sends. */
export type Prompt = Suggestion & { prompt: string }

/** Prompts that make the demo model show what the product does. */
export const demoPrompts: readonly Prompt[] = [
  {
    id: 'tour',
    title: 'Show me around',
    hint: 'Headings, tables, code and math as they stream',
    prompt: 'Show me what you can do.',
    icon: <Sparkles aria-hidden size={16} />,
  },
  {
    id: 'think',
    title: 'Think before answering',
    hint: 'Reasoning that opens, then folds away',
    prompt: 'Think it through step by step: why is nothing ever lost here?',
    icon: <Brain aria-hidden size={16} />,
  },
  {
    id: 'tools',
    title: 'Use your tools',
    hint: 'Calls with arguments, output and a checklist',
    prompt: 'Use your tools to plan a small task as a to-do list.',
    icon: <ListChecks aria-hidden size={16} />,
  },
  {
    id: 'subagent',
    title: 'Ask a subagent',
    hint: 'A second agent that you watch, stop and open',
    prompt: 'Ask a subagent to look around in this folder.',
    icon: <Bot aria-hidden size={16} />,
  },
  {
    id: 'question',
    title: 'Answer a question',
    hint: 'A reply that waits for you, through reloads too',
    prompt: 'Ask me something before you write.',
    icon: <MessageCircleQuestion aria-hidden size={16} />,
  },
  {
    id: 'long',
    title: 'Write something very long',
    hint: 'Stop it, queue behind it, reload in the middle',
    prompt: 'Write a very long answer.',
    icon: <ScrollText aria-hidden size={16} />,
  },
  {
    id: 'diagram',
    title: 'Draw a diagram',
    hint: 'Mermaid, rendered when it comes into view',
    prompt: 'Draw a diagram of how a message travels.',
    icon: <Waypoints aria-hidden size={16} />,
  },
  {
    id: 'retry',
    title: 'Hit a rate limit',
    hint: 'See how a run waits and recovers by itself',
    prompt: 'Hit a rate limit and recover.',
    icon: <Hourglass aria-hidden size={16} />,
  },
]

/** Prompts for a model that can think. */
export const realPrompts: readonly Prompt[] = [
  {
    id: 'explain',
    title: 'Explain something hard simply',
    hint: 'With a picture, a table or a bit of math',
    prompt: 'Explain how public-key cryptography works, simply, with a small worked example.',
    icon: <Sparkles aria-hidden size={16} />,
  },
  {
    id: 'plan',
    title: 'Plan a piece of work',
    hint: 'As a checklist that is kept up to date',
    prompt: 'Help me plan a weekend project. Ask me what it is, then keep a to-do list.',
    icon: <ListChecks aria-hidden size={16} />,
  },
  {
    id: 'draft',
    title: 'Draft a text',
    hint: 'A letter, a page, an announcement',
    prompt: 'Help me write a short announcement. Ask me three questions first.',
    icon: <ScrollText aria-hidden size={16} />,
  },
  {
    id: 'diagram',
    title: 'Draw a diagram',
    hint: 'Of anything that has parts and arrows',
    prompt: 'Draw a mermaid diagram of how a web request travels from browser to database.',
    icon: <Waypoints aria-hidden size={16} />,
  },
]
