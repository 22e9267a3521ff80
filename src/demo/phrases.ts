import words from './content/phrases.json' with { type: 'json' }

/** What agents and customers say whatever the call is about; see `Scenario` and `Manner` for the rest. */
export const phrases = words

/** Wordings of what is said whatever the call is about. */
export type Phrases = Readonly<Record<Exclude<keyof typeof phrases, 'smallTalk' | 'readBackValues'>, readonly string[]>>
