import type { Element } from 'hast'
import { createContext, use } from 'react'
import { CodeBlock } from './code-block.tsx'
import { MermaidBlock } from './mermaid-block.tsx'

/** Where the text around ends, when it ends inside a fence that still grows; else null. */
export const GrowingEnd = createContext<number | null>(null)

/** A fenced block: a diagram once its text is complete, else code. */
export function FencedBlock({ node }: { node?: Element | undefined }) {
  const end = use(GrowingEnd)
  const growing = end !== null && (node?.position?.end.offset ?? 0) >= end
  const { code, language } = readFence(node)
  if (language === 'mermaid' && !growing) return <MermaidBlock source={code} />
  return <CodeBlock code={code} language={language} incomplete={growing} />
}

function readFence(node: Element | undefined): { code: string; language: string } {
  const code = node?.children.find((child) => child.type === 'element')
  const text = code?.children.find((child) => child.type === 'text')?.value ?? ''
  const names = code?.properties['className']
  const name = Array.isArray(names) ? names.find((entry) => String(entry).startsWith('language-')) : undefined
  return {
    code: text.replace(/\n$/, ''),
    language: name === undefined ? '' : String(name).slice('language-'.length),
  }
}
