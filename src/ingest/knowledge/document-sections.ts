import type { KnowledgeSection } from '../../store/knowledge-store.js'

/** Most text of one section, UTF-16 units: a passage is found by words that stand near each other. */
const LONGEST = 4_000

/** What a file says: its own title, where it has one, and its text in sections. */
export interface DocumentText {
  readonly title: string | undefined
  readonly sections: readonly KnowledgeSection[]
}

/** A section without surrounding space, in several where it is long; none where it has no text. */
export function section(title: string | undefined, text: string): readonly KnowledgeSection[] {
  const named = title === undefined || title.trim() === '' ? {} : { title: title.trim().replace(/\s+/g, ' ') }
  return pieces(text.trim()).map(piece => ({ ...named, text: piece }))
}

/** Cut between paragraphs, else lines, else words, else anywhere. */
function pieces(text: string): readonly string[] {
  if (text === '') return []
  if (text.length <= LONGEST) return [text]
  const cuts = ['\n\n', '\n', ' '].map(mark => text.lastIndexOf(mark, LONGEST))
  const cut = cuts.find(at => at > LONGEST / 2) ?? LONGEST
  return [text.slice(0, cut).trim().toWellFormed(), ...pieces(text.slice(cut).trim())].filter(piece => piece !== '')
}
