/** The names and numbers a call is about. */
export type ValueName =
  | 'account'
  | 'agent'
  | 'amount'
  | 'branch'
  | 'case'
  | 'company'
  | 'customer'
  | 'day'
  | 'days'
  | 'email'
  | 'first'
  | 'last4'
  | 'order'
  | 'product'
  | 'time'

export type Values = Readonly<Record<ValueName, string>>

/** A phrase taken apart: texts at even places, names of values at odd ones. */
interface Parsed {
  readonly parts: readonly string[]
  readonly names: readonly ValueName[]
}

const parsed = new Map<string, Parsed>()

/** Phrases are few and used a million times, so each is taken apart once. */
function parse(phrase: string): Parsed {
  const known = parsed.get(phrase)
  if (known !== undefined) return known
  const parts = phrase.split(/\{(\w+)\}/)
  const names = parts.filter((_, place) => place % 2 === 1).map(name => name as ValueName)
  const one = { parts, names: [...new Set(names)] }
  parsed.set(phrase, one)
  return one
}

/** The phrase with the call's values in place of the words in braces. */
export function fillIn(phrase: string, values: Values): string {
  const { parts } = parse(phrase)
  if (parts.length === 1) return phrase
  let text = parts[0] ?? ''
  for (let place = 1; place < parts.length; place += 2) {
    text += values[parts[place] as ValueName] + (parts[place + 1] ?? '')
  }
  return text
}

/** The names of the values that a phrase tells. */
export function valuesIn(phrase: string): readonly ValueName[] {
  return parse(phrase).names
}
