import type { CommandRule } from './options.ts'

const TEXT_FILES = { operands: 'paths', globs: true } as const

const GREP: CommandRule = {
  short: 'EFGPivwxcLloqsbHhnTZzarIUy',
  valued: 'emABCd',
  digits: true,
  long:
    'extended-regexp fixed-strings basic-regexp perl-regexp regexp= ignore-case no-ignore-case invert-match word-regexp ' +
    'line-regexp count color? colour? files-without-match files-with-matches max-count= only-matching quiet silent ' +
    'no-messages byte-offset with-filename no-filename line-number initial-tab null after-context= before-context= ' +
    'context= text binary-files= exclude= exclude-dir= include= recursive directories= version',
  texts: 'e',
  operands: 'pattern',
  globs: true,
}

const DIGEST: CommandRule = { ...TEXT_FILES, short: 'btz', long: 'tag binary text' }

/**
 * Commands that read and print, with the options that keep them so: none writes a file, starts a program, follows links or
 * reaches the network with them. Those with rules of their own are in `special-commands.ts`.
 */
export const READING_COMMANDS: ReadonlyMap<string, CommandRule> = new Map<string, CommandRule>([
  [
    'ls',
    {
      ...TEXT_FILES,
      short: 'aAbBcCdfFghGHiklmnNopqQrRsStuUvxXZ1',
      valued: 'IwT',
      long:
        'all almost-all author block-size= color? classify? directory full-time group-directories-first human-readable ' +
        'si inode hide= ignore= indicator-style= numeric-uid-gid no-group quote-name recursive reverse size sort= time= ' +
        'time-style= width= zero version',
    },
  ],
  [
    'cat',
    {
      ...TEXT_FILES,
      short: 'AbeEnstTuv',
      long: 'number number-nonblank show-all show-ends show-tabs squeeze-blank',
    },
  ],
  ['head', { ...TEXT_FILES, short: 'qvz', valued: 'nc', digits: true, long: 'lines= bytes= quiet verbose' }],
  ['tail', { ...TEXT_FILES, short: 'qvz', valued: 'nc', digits: true, long: 'lines= bytes= quiet verbose' }],
  ['wc', { ...TEXT_FILES, short: 'cmlLw', long: 'bytes chars lines words max-line-length total=' }],
  ['nl', { ...TEXT_FILES, valued: 'bdfhilnsvw' }],
  ['tac', { ...TEXT_FILES }],
  ['rev', { ...TEXT_FILES }],
  ['fold', { ...TEXT_FILES, short: 'bs', valued: 'w', long: 'width= spaces' }],
  ['expand', { ...TEXT_FILES, short: 'i', valued: 't' }],
  ['paste', { ...TEXT_FILES, short: 'sz', valued: 'd', long: 'delimiters= serial' }],
  ['column', { ...TEXT_FILES, short: 'tx', valued: 'sNHRc', long: 'table separator=' }],
  [
    'cut',
    {
      ...TEXT_FILES,
      short: 'nsz',
      valued: 'bcdf',
      texts: 'd',
      long: 'delimiter= fields= characters= bytes= complement only-delimited output-delimiter=',
    },
  ],
  ['grep', GREP],
  ['egrep', GREP],
  ['fgrep', GREP],
  [
    'rg',
    {
      short: 'nNivwxclFsSuUPoqHIhap0',
      valued: 'eABCgtTmMjrdE',
      texts: 'egr',
      long:
        'line-number no-line-number ignore-case invert-match word-regexp line-regexp count count-matches ' +
        'files-with-matches files-without-match fixed-strings case-sensitive smart-case unrestricted multiline pcre2 ' +
        'only-matching quiet with-filename no-filename heading no-heading text pretty null regexp= after-context= ' +
        'before-context= context= glob= iglob= type= type-not= max-count= max-columns= threads= replace= max-depth= ' +
        'encoding= files hidden no-hidden no-ignore no-ignore-vcs no-config json stats sort= sortr= color= trim ' +
        'type-list type-add= column no-messages vimgrep passthru multiline-dotall version block-buffered line-buffered binary ' +
        'max-filesize= one-file-system null-data path-separator= include-zero no-ignore-parent glob-case-insensitive ' +
        'context-separator= no-context-separator no-binary crlf no-unicode engine= debug',
      operands: 'pattern',
    },
  ],
  [
    'tree',
    {
      short: 'adfipshugDFqNQrtvUSnCAxJX',
      valued: 'LPI',
      apart: true,
      long: 'dirsfirst noreport charset= filelimit= prune du si gitignore filesfirst matchdirs sort= inodes device',
      operands: 'paths',
    },
  ],
  [
    'stat',
    { ...TEXT_FILES, short: 'Lft', valued: 'c', long: 'format= printf= dereference file-system terse' },
  ],
  ['file', { short: 'bhikLNr0', long: 'brief mime mime-type mime-encoding', operands: 'paths' }],
  [
    'du',
    {
      ...TEXT_FILES,
      short: 'abchHkmsSx0l',
      valued: 'dBt',
      long: 'max-depth= human-readable summarize all total apparent-size exclude= bytes si inodes time? time-style= threshold=',
    },
  ],
  [
    'df',
    {
      ...TEXT_FILES,
      short: 'ahHiklPT',
      valued: 'Btx',
      long: 'human-readable type= exclude-type= total local output?',
    },
  ],
  [
    'diff',
    {
      short: 'abBcdeEiNnpqrstTuwy',
      valued: 'CUWIxF',
      digits: true,
      long:
        'unified? context? brief recursive side-by-side color? ignore-case ignore-all-space ignore-space-change ' +
        'ignore-blank-lines ignore-matching-lines= strip-trailing-cr minimal width= exclude= suppress-common-lines text new-file report-identical-files',
      operands: 'paths',
      // Of two folders it compares the files too.
      follows: true,
    },
  ],
  ['cmp', { short: 'bls', valued: 'n', long: 'silent quiet', operands: 'paths' }],
  ['comm', { short: '123z', long: 'total check-order nocheck-order output-delimiter=', operands: 'paths' }],
  ['join', { short: 'iz', valued: 'aejotv12', operands: 'paths' }],
  [
    'sort',
    {
      short: 'bdfghiMnRrVcCmsuz',
      valued: 'kt',
      texts: 't',
      long:
        'numeric-sort reverse unique key= field-separator= human-numeric-sort version-sort ignore-case stable check? ' +
        'general-numeric-sort month-sort dictionary-order zero-terminated debug parallel=',
      operands: 'paths',
    },
  ],
  // A second operand is the file that it writes.
  [
    'uniq',
    {
      short: 'cdDiuz',
      valued: 'fsw',
      long: 'count repeated unique ignore-case',
      operands: 'paths',
      most: 1,
      ordered: true,
    },
  ],
  ['xxd', { short: 'abeEipu', valued: 'clsgo', operands: 'paths', most: 1, ordered: true, alone: true }],
  ['od', { ...TEXT_FILES, short: 'abcdfiloshvx', valued: 'AjNt', optional: 'w' }],
  ['hexdump', { short: 'bcCdovx', valued: 'ns', operands: 'paths' }],
  ['base64', { ...TEXT_FILES, short: 'di', valued: 'w', long: 'decode ignore-garbage wrap=' }],
  ['tr', { short: 'cCdst', operands: 'texts' }],
  ['seq', { short: 'w', valued: 'sf', operands: 'texts' }],
  ['basename', { short: 'az', valued: 's', operands: 'texts', globs: true }],
  ['dirname', { short: 'z', operands: 'texts', globs: true }],
  ['realpath', { ...TEXT_FILES, short: 'emsqzLP', long: 'relative-to= relative-base=' }],
  ['readlink', { ...TEXT_FILES, short: 'efmnsqvz' }],
  ...['md5sum', 'sha1sum', 'sha224sum', 'sha256sum', 'sha384sum', 'sha512sum', 'b2sum', 'cksum'].map(
    (name) => [name, DIGEST] as const,
  ),
  ['which', { short: 'a', operands: 'texts' }],
  ['type', { short: 'aPptf', operands: 'texts' }],
  ['pwd', { short: 'LP', operands: 'none' }],
  ['whoami', { operands: 'none' }],
  ['id', { short: 'ugnGr', operands: 'texts' }],
  ['groups', { operands: 'none' }],
  ['uname', { short: 'asnrvmpio', long: 'all', operands: 'none' }],
  ['nproc', { long: 'all', operands: 'none' }],
  ['arch', { operands: 'none' }],
  ['uptime', { short: 'ps', operands: 'none' }],
  ['hostname', { short: 's', operands: 'none' }],
  ['free', { short: 'bkmghtw', operands: 'none' }],
  ['lscpu', { operands: 'none' }],
  ...['users', 'who', 'w', 'tty', 'logname', 'lsblk', 'vmstat', 'ifconfig'].map(
    (name) => [name, { operands: 'none' }] as const,
  ),
  ['getconf', { operands: 'texts' }],
  ['locale', { short: 'a', operands: 'texts' }],
  ['cal', { short: '13ymj', operands: 'texts' }],
  ['whereis', { operands: 'texts' }],
  ['pgrep', { short: 'aflnovxi', valued: 'uUPGgstd', operands: 'texts' }],
  ['pidof', { short: 'sx', operands: 'texts' }],
  // Others of its options close connections or write a file.
  ['ss', { short: 'tuwxlanpeis46HO', operands: 'none' }],
  ['factor', { operands: 'texts' }],
  ['numfmt', { long: 'to= from= to-unit= from-unit= suffix= padding= format=', operands: 'texts' }],
  ['expr', { operands: 'texts' }],
  ['fmt', { ...TEXT_FILES, short: 'su', valued: 'w', digits: true }],
  ['unexpand', { ...TEXT_FILES, short: 'a', valued: 't' }],
  ['shuf', { short: 'ez', valued: 'ni', operands: 'paths' }],
  ['sum', { ...TEXT_FILES, short: 'rs' }],
])

/** Commands with rules of their own that print their version and help. */
export const PRINTING_HELP: ReadonlySet<string> = new Set([
  'find',
  'sed',
  'awk',
  'tar',
  'strings',
  'date',
  'ps',
])

/** Programs that print their version, help or packages with this option alone, whatever the folder holds. */
export const VERSIONED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    '--version':
      'node python python3 ruby perl php gcc g++ cc c++ clang clang++ ld gdb bash zsh curl wget make cmake ninja docker tar sed ' +
      'jq java javac vim psql mysql sqlite3 redis-cli pandoc pip pip3 gh',
    '--help': 'node jq',
    '-version': 'java javac ffmpeg',
    '-v': 'node ruby perl php make docker lua',
    '-V': 'python python3 curl jq ssh tmux psql pip pip3',
    version: 'openssl',
    list: 'pip pip3',
  }).reduce(
    (all, [option, names]) =>
      names.split(' ').reduce((found, name) => found.set(name, [...(found.get(name) ?? []), option]), all),
    new Map<string, readonly string[]>(),
  ),
)
