/** The words and "phrases in quotes" of a search, as search_calls reads them. */
function termsOf(search: string): readonly string[] {
  return [...search.matchAll(/"([^"]+)"|(\S+)/g)]
    .map(([, phrase, word = '']) => (phrase ?? word).replaceAll('"', ''))
    .filter(Boolean)
}

/** A text with what was searched for marked in it. */
export function Highlight({ text, search }: { readonly text: string; readonly search: string | undefined }) {
  const terms = termsOf(search ?? '')
  if (terms.length === 0) return text
  const pattern = new RegExp(
    `(${terms.map(term => term.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')})`,
    'giu',
  )
  // Every second part is what the group caught.
  return text.split(pattern).map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))
}
