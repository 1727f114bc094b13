import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApp } from '../stores/app-context.tsx'
import { addOutput, NO_OUTPUT } from './process-output.ts'
import type { Process } from './use-processes.ts'

/** Milliseconds between two readings of a command that runs. */
const READ_MS = 1_000

/** The end of what a command has said, read on as long as it runs; null until it is known. */
export function useProcessOutput({ id, sessionId, exit }: Pick<Process, 'id' | 'sessionId' | 'exit'>) {
  const { client } = useApp()
  const [tail, setTail] = useState(NO_OUTPUT)
  const running = exit === null
  const { data, error } = useQuery({
    // What was said between the last reading and the end is read once more.
    queryKey: ['process-output', id, running],
    gcTime: 0,
    queryFn: () => client().process.output.query({ sessionId, processId: id, from: tail.length }),
    refetchInterval: running ? READ_MS : false,
  })
  useEffect(() => {
    if (data !== undefined)
      setTail((before) => (data.from < before.length ? before : addOutput(before, data)))
  }, [data])
  return { tail: data === undefined && tail.length === 0 ? null : tail, error }
}
