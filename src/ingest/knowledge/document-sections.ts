import type { KnowledgeSection } from '../../store/records/knowledge-document.js'

/** Most text of one section, UTF-16 units: a passage is found by words that stand near each other. */
const LONGEST_SECTION = 4_000

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
  const found: string[] = []
  let rest = text
  while (rest.length > LONGEST_SECTION) {
    const cuts = ['\n\n', '\n', ' '].map(mark => rest.lastIndexOf(mark, LONGEST_SECTION))
    const cut = cuts.find(at => at > LONGEST_SECTION / 2) ?? LONGEST_SECTION
    found.push(rest.slice(0, cut).trim().toWellFormed())
    rest = rest.slice(cut).trim()
  }
  return [...found, rest].filter(piece => piece !== '')
}
