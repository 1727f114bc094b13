import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useApp } from '../stores/app-context.tsx'
import { agentWords } from '../words/en-agent.ts'
import { actOf, type GivenRule } from './rule-words.ts'

/** Every query of rules begins with this: a rule that is revoked is gone from all of them. */
const RULES_QUERY = 'rules'

/** The rules of a session, or with null those of all workspaces, the configuration and the manifest. */
export function useRules(sessionId: string | null) {
  const { client, toasts } = useApp()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: [RULES_QUERY, sessionId],
    refetchOnMount: 'always',
    queryFn: async () =>
      (await client().permission.rules.query(sessionId === null ? {} : { sessionId })).items,
  })

  /** True once the rule is gone. Whatever the answer, the list is read again: somebody else may have revoked it. */
  async function revoke(rule: GivenRule): Promise<boolean> {
    const { id: ruleId, workspaceRoot } = rule
    const scope = workspaceRoot !== null ? { workspaceRoot } : sessionId !== null ? { sessionId } : {}
    const done = await toasts.guard(client().permission.revoke.mutate({ ruleId, ...scope }))
    await queries.invalidateQueries({ queryKey: [RULES_QUERY] })
    const message = agentWords.permissions.revoked(actOf(rule), rule.pattern)
    if (done) toasts.add({ tone: 'info', message })
    return done
  }

  return { rules: data ?? null, error, retry: () => void refetch(), revoke }
}
