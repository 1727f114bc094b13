import type { ComponentProps } from 'react'
import { type ExtraProps, useIsCodeFenceIncomplete } from 'streamdown'
import { CodeBlock } from './code-block.tsx'
import { MermaidBlock } from './mermaid-block.tsx'

type PreProps = ComponentProps<'pre'> & ExtraProps

/** A fenced block: a diagram once its fence is closed, else code. */
export function FencedBlock({ node }: PreProps) {
  const incomplete = useIsCodeFenceIncomplete()
  const { code, language } = readFence(node)
  if (language === 'mermaid' && !incomplete) return <MermaidBlock source={code} />
  return <CodeBlock code={code} language={language} incomplete={incomplete} />
}

function readFence(node: PreProps['node']): { code: string; language: string } {
  const code = node?.children.find((child) => child.type === 'element')
  const text = code?.children.find((child) => child.type === 'text')?.value ?? ''
  const names = code?.properties['className']
  const name = Array.isArray(names) ? names.find((entry) => String(entry).startsWith('language-')) : undefined
  return {
    code: text.replace(/\n$/, ''),
    language: name === undefined ? '' : String(name).slice('language-'.length),
  }
}
