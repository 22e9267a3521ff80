import { foundParts } from './found-parts.js'

/** A text with what was searched for marked in it. */
export function Highlight({ text, search }: { readonly text: string; readonly search: string | undefined }) {
  return foundParts(text, search ?? '').map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))
}
