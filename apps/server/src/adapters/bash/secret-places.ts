import { readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folders and files of a home folder that hold keys, tokens, passwords, or what a person has typed. */
const SECRETS = [
  // Keys and password stores
  '.ssh',
  '.gnupg',
  '.age',
  '.config/age',
  '.config/sops',
  '.password-store',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.config/op',
  '.config/1Password',
  '.config/Bitwarden',
  '.config/Bitwarden CLI',
  '.vault-token',
  '.pki',
  '.electrum',
  '.bitcoin',
  '.ethereum',
  // Clouds
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.config/containers/auth.json',
  '.config/gcloud',
  '.config/doctl',
  '.config/hcloud',
  '.config/rclone',
  '.config/netlify',
  '.config/configstore',
  '.config/vercel',
  '.local/share/com.vercel.cli',
  '.config/heroku',
  '.config/stripe',
  '.config/supabase',
  '.supabase',
  '.fly',
  '.wrangler',
  '.config/.wrangler',
  '.pulumi',
  '.terraform.d',
  '.terraformrc',
  '.oci',
  '.bluemix',
  '.s3cfg',
  '.boto',
  '.databrickscfg',
  '.snowflake',
  '.snowsql',
  // Forges, registries of packages, and services
  '.config/gh',
  '.config/hub',
  '.config/glab-cli',
  '.config/tea',
  '.netrc',
  '.git-credentials',
  '.config/git/credentials',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.config/pnpm',
  '.bunfig.toml',
  '.pypirc',
  '.config/pip',
  '.pip',
  '.config/pypoetry',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.bundle/config',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.nuget',
  '.m2',
  '.gradle/gradle.properties',
  '.subversion/auth',
  '.huggingface/token',
  '.cache/huggingface/token',
  '.kaggle',
  '.config/ngrok',
  '.ngrok2',
  '.jupyter',
  '.config/wandb',
  '.msmtprc',
  '.mutt',
  '.fetchmailrc',
  '.config/neomutt',
  // Databases
  '.pgpass',
  '.my.cnf',
  '.mylogin.cnf',
  '.mongorc.js',
  '.dbshell',
  // Agents and editors
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.cursor',
  '.config/opencode',
  '.local/share/opencode',
  '.config/goose',
  '.aider.conf.yml',
  '.continue',
  '.config/github-copilot',
  '.config/Code/User/globalStorage',
  '.config/Cursor/User/globalStorage',
  '.config/VSCodium/User/globalStorage',
  '.vscode-server/data/User/globalStorage',
  '.vscode-remote/data/User/globalStorage',
  // Browsers, mail and messengers
  '.mozilla',
  '.config/google-chrome',
  '.config/google-chrome-beta',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.config/vivaldi',
  '.config/opera',
  '.thunderbird',
  '.config/Signal',
  '.config/Slack',
  '.config/discord',
  '.config/Element',
  '.local/share/TelegramDesktop',
  'snap/firefox',
  'snap/chromium',
  '.var/app',
  // What was typed
  '.bash_history',
  '.zsh_history',
  '.zhistory',
  '.history',
  '.sh_history',
  '.ash_history',
  '.local/share/fish',
  '.python_history',
  '.node_repl_history',
  '.irb_history',
  '.psql_history',
  '.mysql_history',
  '.sqlite_history',
  '.rediscli_history',
  '.lesshst',
  '.viminfo',
  '.local/state/nvim',
  '.wget-hsts',
] as const

/** Files and folders of the system that hold keys and passwords; a server that is root could read them. */
const SYSTEM_SECRETS = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/ssh',
  '/etc/ssl/private',
  '/etc/letsencrypt',
  '/etc/wireguard',
  '/etc/NetworkManager/system-connections',
  '/etc/krb5.keytab',
  '/etc/docker',
  '/etc/kubernetes',
  '/etc/rancher',
  '/var/lib/docker',
  '/var/lib/kubelet',
  '/var/spool/mail',
  '/var/mail',
]

/** A place that is covered in the sandbox: its real path, and whether it is a folder. */
export type Covered = { path: string; isFolder: boolean }

/** The places that are there, by their real paths, each once: a mount covers what a link leads to, and so every way there. */
export function coveredPlaces(home: string, hidden: readonly string[]): Covered[] {
  const all = [...SECRETS.map((path) => join(home, path)), ...SYSTEM_SECRETS, ...hidden]
  const real = new Set(all.flatMap((path) => realPathOf(path) ?? []))
  return [...real].flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined ? [] : [{ path, isFolder: found.isDirectory() }]
  })
}

/** The real path; null for what is missing or cannot be reached, and for a link that leads nowhere. */
export function realPathOf(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** Sockets with a path on which a program of this machine listens now: a read-only disk does not stop who connects to one. */
export function listeningSockets(): string[] {
  try {
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n')
    // Flags of a socket that accepts connections; the path is the eighth column.
    const paths = lines.flatMap((line) => /^\S+ \S+ \S+ 00010000 \S+ \S+ +\d+ (\/.+)$/.exec(line)?.[1] ?? [])
    return [...new Set(paths)].flatMap((path) => realPathOf(path) ?? [])
  } catch {
    return []
  }
}
