import { cloneElement, type ReactElement, type Ref } from 'react'

type Handler = (...args: unknown[]) => void
type Props = Record<string, unknown>

/** The element with more props; handlers and refs of both are called, its own ones first. */
export function withProps(element: ReactElement, added: Props): ReactElement {
  // The props of an element are an object whatever its type is.
  const own = element.props as Props
  const merged = Object.entries(added).map(([name, value]) => [name, merge(name, own[name], value)])
  return cloneElement(element, Object.fromEntries(merged))
}

function merge(name: string, own: unknown, added: unknown): unknown {
  if (name === 'ref') return mergeRefs([own as Ref<unknown>, added as Ref<unknown>])
  if (!isHandler(own) || !isHandler(added)) return added
  return (...args: unknown[]) => {
    own(...args)
    added(...args)
  }
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function'
}

function mergeRefs(refs: Ref<unknown>[]) {
  return (node: unknown) => {
    for (const ref of refs) {
      if (typeof ref === 'function') ref(node)
      else if (ref) ref.current = node
    }
  }
}
