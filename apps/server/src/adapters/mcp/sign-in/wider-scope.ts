/** A token of a scope (RFC 6749). Others are left out: the text comes from a server, and is shown to people and models. */
const TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/
const MAX_TOKENS = 50
/** Sign-ins for one scope. A server that refuses calls after these is not asked for more. */
const MAX_SIGN_INS = 2

/** The scope that a server refused calls for, and how many sign-ins for it there were. `open`: another one may help. */
export type RefusedScope = { scope: string; signIns: number; open: boolean }

/** Each token of these scopes once; undefined without one. */
export function scopeUnion(...scopes: readonly (string | undefined)[]): string | undefined {
  const tokens = new Set(scopes.flatMap((scope) => scope?.split(' ') ?? []).filter((one) => TOKEN.test(one)))
  return tokens.size === 0 ? undefined : [...tokens].slice(0, MAX_TOKENS).join(' ')
}

/** What is known once a call was refused for this scope. */
export function refuseScope(before: RefusedScope | undefined, scope: string | undefined): RefusedScope {
  const union = scopeUnion(before?.scope, scope) ?? ''
  const signIns = union === before?.scope ? before.signIns : 0
  return { scope: union, signIns, open: signIns < MAX_SIGN_INS }
}

/** What is known once a person has signed in for the scope. */
export function signedInFor(refused: RefusedScope): RefusedScope {
  return { ...refused, signIns: refused.signIns + 1, open: false }
}

/** Characters of a scope that a reason shows. */
const SHOWN = 300

/** Why a call failed, for the model. `refused` is null where no person signs in. */
export function refusalText(refused: RefusedScope | null, asked: string | undefined): string {
  const scope = scopeUnion(asked)?.slice(0, SHOWN)
  const needs = `The server refused the request: it needs a sign-in for ${scope === undefined ? 'a wider scope' : `the scope "${scope}"`}.`
  if (refused === null) return `${needs} The operator can allow that in the configuration. Do not try again.`
  if (!refused.open) return `${needs} ${refused.signIns} sign-ins for it have not helped. Do not try again.`
  return `${needs} Only a person can do that, in Settings, MCP servers. Do not try again until then.`
}
