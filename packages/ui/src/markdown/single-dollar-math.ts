// Its types name the tokens of formulas.
import type {} from 'micromark-extension-math'
import type { Data, Processor } from 'unified'

type Extension = NonNullable<Data['micromarkExtensions']>[number]
/** A character as micromark reads it: null at the end, below 0 for line endings (to -3), tabs and the spaces of a tab. */
type Code = number | null
type State = (code: Code) => State | undefined

const DOLLAR = 36
const BACKSLASH = 92
const BACKTICK = 96
const LAST_LINE_ENDING = -3

/** An amount of money that words follow: `5 for one, or 6`. */
const AMOUNT_AND_WORDS = /^\d[\d.,]*(?:.*[\s([{,;.-])?[a-z]{2,}/is
const TEX = /[\\^_={]/

/**
 * Remark plugin, after `remark-math` without its single dollars: what is between single dollars is a formula by the rules of
 * pandoc. A character that is no space follows the first dollar and precedes the second, and no digit follows the
 * second, so `$5 to $10` is text. Stricter than pandoc where money is likelier: a letter or digit before the first
 * dollar (`US$5`), an amount that words follow, and code or an address inside make none.
 */
export function singleDollarMath(this: Processor): void {
  const data = this.data()
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), dollarText]
}

const dollarText: Extension = {
  text: {
    [DOLLAR]: {
      name: 'mathText',
      // The same as that of `remark-math`: micromark tries all constructs of a character when one of them fits.
      previous(code) {
        return code !== DOLLAR || this.events.at(-1)?.[1].type === 'characterEscape'
      },
      tokenize(effects, ok, nok) {
        const { previous } = this
        let tex = ''
        let afterSpace = true

        const open: State = (code) => {
          if (isWordCharacter(previous)) return nok(code)
          effects.enter('mathText')
          dollar(code)
          return (first) => (isSpace(first) || first === DOLLAR ? nok(first) : begin(first))
        }
        const begin: State = (code) => {
          if (code === null || code === DOLLAR || isLineEnding(code)) return between(code)
          effects.enter('mathTextData')
          return inside(code)
        }
        const inside: State = (code) => {
          if (code === null || code === DOLLAR || isLineEnding(code)) {
            effects.exit('mathTextData')
            return between(code)
          }
          if (code === BACKTICK) return nok(code)
          take(code)
          return code === BACKSLASH ? escaped : inside
        }
        const escaped: State = (code) => {
          if (code === null || isLineEnding(code)) return inside(code)
          take(code)
          return inside
        }
        const between: State = (code) => {
          if (code === null || (code === DOLLAR && afterSpace)) return nok(code)
          if (code === DOLLAR) {
            dollar(code)
            effects.exit('mathText')
            return (next) => (isDigit(next) || !isFormula(tex) ? nok(next) : ok(next))
          }
          effects.enter('lineEnding')
          take(code)
          effects.exit('lineEnding')
          return begin
        }
        function dollar(code: Code): void {
          effects.enter('mathTextSequence')
          effects.consume(code)
          effects.exit('mathTextSequence')
        }
        function take(code: number): void {
          effects.consume(code)
          afterSpace = isSpace(code)
          tex += afterSpace ? ' ' : String.fromCharCode(code)
        }
        return open
      },
    },
  },
}

function isFormula(tex: string): boolean {
  if (tex.includes('://')) return false
  return TEX.test(tex) || !AMOUNT_AND_WORDS.test(tex)
}

function isSpace(code: Code): boolean {
  return code === null || code < 0 || code === 32
}

function isLineEnding(code: number): boolean {
  return code <= LAST_LINE_ENDING
}

function isDigit(code: Code): boolean {
  return code !== null && code >= 48 && code <= 57
}

/** Of ASCII alone: Chinese or Japanese puts no space before a formula. */
function isWordCharacter(code: Code): boolean {
  return code !== null && code > 0 && /[0-9a-z]/i.test(String.fromCharCode(code))
}
