import type { Language } from '../../evaluation/rules/languages/language.js'
import { likeliestLanguage } from '../../evaluation/rules/languages/languages.js'
import { wordsOf } from '../../evaluation/rules/words.js'

/** What a customer said they call for. */
export interface Said {
  readonly id: string
  readonly text: string
}

/** Calls whose customers say the same two words near each other. */
export interface ReasonCluster {
  /** The two words as they are mostly said, such as "open account". */
  readonly words: string
  /** A phrase of a rubric that finds them. */
  readonly phrase: string
  readonly said: readonly Said[]
}

/** Letters by which words are of one stem: "open", "opened", "opening". */
const STEM = 4
const LEAST_LETTERS = 3
/** Words that may stand between the two. */
const APART = 3
/** A name said again and again is no word of a reason. */
const HAS_DIGIT = /\d/u

interface Pair {
  readonly first: string
  readonly second: string
  readonly said: Map<Said, { readonly words: readonly [string, string]; readonly apart: number }>
}

/**
 * Gathers what is said alike, the commonest first: the two words that most have, then the two that most of the rest have. The
 * same for the same texts in the same order. It takes as long as there are words.
 * @param common words that are said in any call in a language
 * @param least calls of a cluster
 * @param most clusters
 */
export function clusterReasons(
  all: readonly Said[],
  common: (language: Language) => ReadonlySet<string>,
  { least, most }: { readonly least: number; readonly most: number },
): readonly ReasonCluster[] {
  const pairs = new Map<string, Pair>()
  for (const said of all) {
    const language = likeliestLanguage(said.text)
    addPairs(pairs, said, language, common(language))
  }
  const large = [...pairs.values()].filter(pair => pair.said.size >= least)
  /** Which of them each text has. */
  const having = new Map<Said, Pair[]>(all.map(said => [said, []]))
  for (const pair of large) for (const said of pair.said.keys()) having.get(said)!.push(pair)
  const found: ReasonCluster[] = []
  while (found.length < most) {
    let best: Pair | undefined
    for (const pair of large) {
      const size = pair.said.size
      if (size >= least && (best === undefined || size > best.said.size)) best = pair
    }
    if (best === undefined) break
    found.push(clusterOf(best))
    for (const said of best.said.keys()) for (const pair of having.get(said)!) pair.said.delete(said)
  }
  return found
}

function addPairs(pairs: Map<string, Pair>, said: Said, language: Language, common: ReadonlySet<string>): void {
  const { words } = wordsOf(said.text, language)
  const tells = ({ text }: (typeof words)[number]) =>
    text.length >= LEAST_LETTERS && !common.has(text) && !HAS_DIGIT.test(text)
  for (const [at, one] of words.entries()) {
    if (!tells(one)) continue
    for (let apart = 0; apart <= APART; apart += 1) {
      const other = words[at + 1 + apart]
      if (other === undefined || other.before !== 'none') break
      if (!tells(other)) continue
      const [first, second] = [one.text.slice(0, STEM), other.text.slice(0, STEM)]
      if (first === second) continue
      const key = `${first} ${second}`
      const pair = pairs.get(key) ?? { first, second, said: new Map() }
      pairs.set(key, pair)
      if (!pair.said.has(said)) pair.said.set(said, { words: [one.text, other.text], apart })
    }
  }
}

function clusterOf({ said }: Pair): ReasonCluster {
  const all = [...said.values()]
  const of = (at: 0 | 1) => byFrequency(all.map(({ words }) => words[at]))
  const [firsts, seconds] = [of(0), of(1)]
  const apart = Math.max(...all.map(one => one.apart))
  const piece = (words: readonly string[]) => (words.length === 1 ? words[0]! : `(${words.join('|')})`)
  return {
    words: `${firsts[0]} ${seconds[0]}`,
    phrase: [piece(firsts), ...Array.from({ length: apart }, () => '[*]'), piece(seconds)].join(' '),
    said: [...said.keys()],
  }
}

/** The commonest first; equally common ones by their letters. */
function byFrequency(words: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts.keys()].toSorted((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1))
}
