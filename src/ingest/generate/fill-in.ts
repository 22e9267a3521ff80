import type { ValueName } from './scenarios/scenario.js'

export type Values = Readonly<Record<ValueName, string>>

const parsed = new Map<string, readonly string[]>()

/** The phrase with the call's values in place of the words in braces. */
export function fillIn(phrase: string, values: Values): string {
  // Phrases are few and used a million times, so each is taken apart once: texts at even places, names at odd ones.
  let parts = parsed.get(phrase)
  if (parts === undefined) {
    parts = phrase.split(/\{(\w+)\}/)
    parsed.set(phrase, parts)
  }
  if (parts.length === 1) return phrase
  let text = parts[0] ?? ''
  for (let place = 1; place < parts.length; place += 2) {
    text += values[parts[place] as ValueName] + (parts[place + 1] ?? '')
  }
  return text
}
