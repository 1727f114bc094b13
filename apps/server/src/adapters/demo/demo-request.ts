/** What a person can ask the demo model to show. `talk` is everything else. */
export type DemoRequest =
  | 'subagent'
  | 'rate-limit'
  | 'fail'
  | 'slow'
  | 'tools'
  | 'edit-file'
  | 'budget'
  | 'look-around'
  | 'ask-me'
  | 'think'
  | 'long'
  | 'queue'
  | 'diagram'
  | 'code'
  | 'table'
  | 'math'
  | 'help'
  | 'talk'

/** The first that matches wins, so the more specific patterns come first. */
const WORDS: readonly (readonly [DemoRequest, RegExp])[] = [
  ['subagent', /\bsub-?agents?\b|\bhelpers?\b|(^|\s)@(explore|general)\b/],
  ['rate-limit', /\brate[- ]?limit|\b429\b/],
  [
    'fail',
    /\bfail(s|ed|ing|ure)?\b|\bprovider error\b|\b(show|give|cause|raise|throw|simulate)\b.{0,24}\berrors?\b/,
  ],
  ['slow', /\bslow(ly|er)?\b|\btake your time\b/],
  ['edit-file', /\b(edit|change|write)\b.{0,12}\bfiles?\b/],
  ['budget', /\bbudgets?\b/],
  ['tools', /\btools?\b|\bto-?dos?\b|\bchecklist\b/],
  ['look-around', /\blook around\b/],
  ['ask-me', /\b(ask|question) me\b/],
  ['think', /\bthink(ing)?\b|\breason(ing|s)?\b|\bstep by step\b|\bpuzzle\b/],
  ['long', /(?<!\b(how|as|so) )\blong(er|est)?\b(?! (ago|time|run|term))|\bessay\b|\blengthy\b/],
  ['queue', /\bqueue(s|d|ing)?\b/],
  ['diagram', /\bdiagrams?\b|\bflow ?charts?\b|\bmermaid\b/],
  ['math', /\bmaths?\b|\bformulas?\b|\bequations?\b|\blatex\b/],
  ['table', /\btables?\b/],
  ['code', /\bcode\b|\bsnippets?\b|\btypescript\b|\bpython\b|\bsql\b/],
  ['help', /\bhelp\b|\bwhat (can you|do you|you can|you do)\b|\bwho are you\b|\bshow me around\b|\btour\b/],
]

/** Recognises what a message asks for, by its words. */
export function recogniseRequest(text: string): DemoRequest {
  const lower = text.toLowerCase()
  return WORDS.find(([, words]) => words.test(lower))?.[0] ?? 'talk'
}
