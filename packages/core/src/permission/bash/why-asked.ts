import type { SeenLine } from './parse-line.ts'
import type { Refusal } from './reads-only.ts'

const NETWORK = new Set(
  'curl wget nc ncat netcat telnet ssh scp sftp rsync ftp aria2c socat dig nslookup host ping http https gh glab aws gcloud'.split(
    ' ',
  ),
)
const PRIVILEGED = new Set(
  'sudo doas pkexec su runuser chroot nsenter unshare mount umount setcap chown'.split(' '),
)
const SYNTAX: readonly (readonly [RegExp, string])[] = [
  [/^(Redirect|Redirected)$/, 'it redirects to or from a file'],
  [/^(HereDoc|HereString)/, 'it has a here document'],
  [/^(CommandExpansion|ProcessSubstitution)$/, 'it runs a command inside another'],
  [
    /^(SimpleExpansion|ParameterExpansion|Default|Transform|LocaleString|AnsiCQuoted)$/,
    'it contains what bash replaces when it runs',
  ],
  [/^(Arithmetic)/, 'it contains arithmetic'],
  [/^BraceExpansion$/, 'it contains braces'],
  [
    /^(Function|BraceGroup|Subshell|CompoundList|If|While|For|Case|Select|TestCommand|Coproc)/,
    'it is a script',
  ],
  [/^Assignment$/, 'it sets a variable'],
  [/^Background$/, 'it starts something in the background'],
]

/** Why a person is asked about a line of plain commands, in a sentence. */
export function whyAsked({ command, refused, because }: Refusal): string {
  if (NETWORK.has(command)) return `\`${command}\` reaches the network.`
  if (PRIVILEGED.has(command)) return `\`${command}\` runs with other rights.`
  switch (because) {
    case 'unlisted':
      return `\`${short(command)}\` may change something: it is not one of the commands that only read.`
    case 'argument':
      return `\`${short(command)}\` with \`${short(refused)}\` may do more than read.`
    case 'outside':
      return `\`${short(command)}\` reaches ${short(refused)}, outside of the workspace.`
    case 'unproved':
      return `\`${short(command)}\` with these arguments may do more than read where no sandbox holds it.`
    case 'git':
      return 'Git may start programs that this repository names.'
  }
}

/** Why a person is asked about a line with other syntax. */
export function whySyntaxAsks(line: string, { commands, kinds, broken }: SeenLine): string {
  const network = commands.find(({ name }) => NETWORK.has(name))
  if (network !== undefined || line.includes('/dev/tcp/') || line.includes('/dev/udp/'))
    return `${network === undefined ? 'It' : `\`${network.name}\``} reaches the network.`
  const privileged = commands.find(({ name }) => PRIVILEGED.has(name))
  if (privileged !== undefined) return `\`${privileged.name}\` runs with other rights.`
  if (broken) return 'It cannot be read as bash.'
  const found = SYNTAX.find(([pattern]) => [...kinds].some((kind) => pattern.test(kind)))
  return `It cannot be checked as a whole: ${found?.[1] ?? 'it has unusual characters'}.`
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
