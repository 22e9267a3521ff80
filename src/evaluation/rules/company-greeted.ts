import type { Language } from './languages/language.js'
import type { Word, Words } from './words.js'

/** Most words of a company's name, with what it does: "Bryte smart meter team". */
const MOST_WORDS = 4

/**
 * The company as an agent who greets says it, where the record does not: what the first turn begins with, behind a greeting, up to a
 * pause, as long as it is written like a name ("Threadneedle Clothing.", "Boxlight technical help, what's going on?"). In a transcript
 * without capital letters there is none.
 * @param agent the words of the agent's name, as they are read
 */
export function companyGreeted(
  { text, said }: { readonly text: string; readonly said: Words },
  agent: readonly string[],
  language: Language,
): readonly string[] {
  const { greeted } = language
  if (greeted === undefined) return []
  const from = said.words.findIndex(({ text: word }) => !greeted.greeting.has(word))
  if (from === -1) return []
  const name = untilPause(said, from)
  if (name.length === 0 || name.length > MOST_WORDS) return []
  const capital = name.map(word => isCapital(text, word))
  const words = name.map(word => word.text)
  // Behind a greeting one word may be whoever speaks, or whoever is spoken to.
  if (name.length === 1 && (from > 0 || agent.includes(words[0]!))) return []
  if (!capital[0] || greeted.department.has(words[0]!) || words.some(word => greeted.none.has(word))) return []
  const isTitle = name.length > 1 && capital.every(Boolean)
  return isTitle || words.every(word => !language.common.has(word)) ? words : []
}

/** As far as it may still be a name. */
function untilPause({ words }: Words, from: number): readonly Word[] {
  const rest = words.slice(from, from + MOST_WORDS + 1)
  const end = rest.findIndex((word, at) => at > 0 && word.before !== 'none')
  return end === -1 ? rest : rest.slice(0, end)
}

function isCapital(text: string, { start }: Word): boolean {
  const first = text.slice(start, start + 1)
  return first !== first.toLowerCase()
}
