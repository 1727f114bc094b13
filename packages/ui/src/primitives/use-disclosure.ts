import { useState } from 'react'

/** Open state that follows `suggested` until a person chooses; then it is theirs. */
export function useDisclosure(suggested: boolean): [open: boolean, choose: (open: boolean) => void] {
  const [chosen, setChosen] = useState<boolean | null>(null)
  return [chosen ?? suggested, setChosen]
}
