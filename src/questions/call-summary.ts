const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Longest summary of a call in a list, UTF-16 units. */
const LONGEST_SUMMARY = 200

/** A call in one line: its title, or the first sentence of its coaching summary. */
export function callSummary(title: string | undefined, coaching: string | undefined): string | undefined {
  const text = title ?? firstSentence(coaching)
  if (text === undefined || text.length <= LONGEST_SUMMARY) return text
  return `${text.slice(0, LONGEST_SUMMARY - 1).toWellFormed()}…`
}

function firstSentence(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  // A sentence longer than a summary is cut anyway; don't segment a page of text for it.
  const [first] = sentences.segment(text.trimStart().slice(0, LONGEST_SUMMARY * 4))
  const sentence = first?.segment.trim()
  return sentence === '' ? undefined : sentence
}
