const CHAPTERS = 96

const SUBJECTS = [
  'a letter',
  'a ledger',
  'a map',
  'a recipe',
  'a diary',
  'a song',
  'a proof',
  'a promise',
  'a ship’s log',
  'a herbal',
  'a will',
  'a dictionary',
  'a timetable',
] as const

const OPENINGS = [
  (it: string) =>
    `Consider ${it} that somebody meant to keep. It was written in one evening, by one hand, and nobody made a copy.`,
  (it: string) =>
    `Suppose you find ${it} in a box of other things. The first page is missing, and with it the reason for all the others.`,
  (it: string) =>
    `There was once ${it} so useful that it was read to pieces. What everyone needs is worn out first.`,
  (it: string) =>
    `Take ${it}, and take away its date. Every sentence is still there, and yet you can no longer say what any of them meant.`,
  (it: string) =>
    `Whoever writes ${it} writes for a reader who knows less. Usually that reader is the writer, some years later.`,
  (it: string) =>
    `Nobody sets out to lose ${it}. It is put in a safe place, and the safe place is forgotten.`,
  (it: string) =>
    `You can burn ${it}, drown it, or sell it for the binding. The commonest way is gentler: you can tidy up.`,
] as const

const MIDDLES = [
  'A scribe who needs a clean sheet does not hate the old text. He has simply stopped seeing it, and a little pumice does the rest.',
  'The margins are often worth more than the page. There the reader disagrees with the author, adds up a bill, or complains of the cold.',
  'Copies differ, and each difference has a history. Lay two side by side and you can tell which of the copyists was tired, and where.',
  'What survives is seldom what was thought important. The grand account is gone, and the shopping list that marked a place in it remains.',
  'An eraser leaves a roughness that light from the side makes visible. Much of what we know of the old texts was read at that angle.',
  'It helps to write things down in the order in which they happen. It helps even more never to go back and improve what happened.',
  'A good archive is dull to build. Everything is kept, everything has a number, and no one is asked to decide today what will matter later.',
  'Forgetting is not the opposite of keeping. One can put a thing out of sight and still know the shelf; only the scraping is final.',
  'Whatever is said while the ink is wet should be on the page before it is read aloud. Otherwise the listener remembers what the page never held.',
  'Most mistakes are made twice: once when they happen, and once when somebody hides them. Only the second does lasting harm.',
  'The trick is to add and never to overwrite. A correction is a new line that points at the old one, and both can be read.',
] as const

const ENDINGS = [
  'That is why this page is long, and why you may stop it anywhere and find that part still here.',
  'Scroll up if you like; the text will go on growing underneath, and it will not pull you down.',
  'So keep the first draft. It is the only one that knows what you thought before you knew better.',
  'Someone will be glad of it, most likely you.',
  'It costs a few bytes. It has rarely been regretted.',
] as const

/** About 60 kB of markdown about keeping things: long enough to scroll, to stop, and to reload in the middle of. */
export function longReply(): string {
  const chapters = Array.from({ length: CHAPTERS }, (_, index) => chapter(index))
  return `# On keeping things, in ${CHAPTERS} short chapters\n\n${chapters.join('\n\n')}\n\nThat was the last chapter. Everything above it is stored.`
}

function chapter(index: number): string {
  const subject = at(SUBJECTS, index)
  const opening = at(OPENINGS, index)(subject)
  // Steps that share no factor with the eleven sentences, so that neighbours differ and no pair returns for long.
  const middles = [0, 4, 7].map((step) => at(MIDDLES, index * 3 + step + Math.floor(index / 11)))
  const heading = `## ${index + 1}. About ${subject}`
  return [heading, opening, middles.join(' '), `${extra(index)}${at(ENDINGS, index)}`].join('\n\n')
}

function extra(index: number): string {
  if (index % 10 === 4)
    return `| Year | Copies known | Copies read |\n| ---: | ---: | ---: |\n| ${1400 + index} | ${index + 3} | ${index} |\n| ${1900 + index} | 1 | 0 |\n\n`
  if (index % 10 === 9) return '- keep the page,\n- keep the margin,\n- keep the mistake.\n\n'
  return ''
}

function at<T>(pool: readonly [T, ...T[]], index: number): T {
  return pool[index % pool.length] ?? pool[0]
}
