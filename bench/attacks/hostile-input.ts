import { gzipSync } from 'node:zlib'

// What a hostile tenant sends, within every limit: the same for the attack on its neighbours and for the test of the event loop.

/** So many records that are none, in as few bytes as possible: 184 for 50,000 lines. */
export const emptyRecords = (lines: number): Buffer => gzipSync('{}\n'.repeat(lines), { level: 9 })

/** A call record. */
export const callOf = (sessionId: string, more: object = {}): object => ({
  session_id: sessionId,
  agent_name: 'Ada Agent',
  created_dt: '2026-03-01T10:00:00Z',
  ...more,
})

/** A conversation of so many turns, in words that rubrics look for. */
export const conversation = (turns: number, phrases = 8): readonly object[] =>
  Array.from({ length: turns }, (_, turn) => ({
    turn,
    actor: turn % 2 === 0 ? 'customer' : 'agent',
    text: `I am sorry, so very sorry to hear that, ${'and I really do understand how that feels '.repeat(phrases)}${turn}`,
    start_s: turn * 4,
    end_s: turn * 4 + 3,
  }))

/** Calls of which each says why the customer called in so many words, and has no reason that is named. */
export const longReasons = (calls: number, words: number): readonly object[] =>
  Array.from({ length: calls }, (_, call) => {
    const said = Array.from({ length: words }, (_, word) => `${SYLLABLES[word % 7]}${SYLLABLES[(call + word) % 11]}`)
    return callOf(`reason-${call}`, {
      created_dt: new Date().toISOString(),
      conditions: [{ key: 'reason.unnamed', text: said.join(' ') }],
    })
  })

/** Calls of as many agents with long names. */
export const ofManyAgents = (agents: number): readonly object[] =>
  Array.from({ length: agents }, (_, agent) =>
    callOf(`of-agent-${agent}`, {
      created_dt: new Date().toISOString(),
      agent_name: `${'Ada Agent '.repeat(18)}${agent}`,
      agent_id: `${'ada-agent-'.repeat(18)}${agent}`,
      score: 1 + (agent % 5),
      interaction_driver: `reason ${agent % 40}`,
      signals: [{ key: `sig.${agent % 30}`, state: 'present' }],
    }),
  )

/** Parts of made-up words. */
const SYLLABLES = ['brel', 'dosk', 'fimp', 'gund', 'hask', 'jolt', 'kren', 'lusk', 'mopt', 'narv', 'prud'] as const

const head = (name: string) =>
  `name: ${name}\ntitle: Hostile\nlanguage: en\ndimensions:\n  - {key: manner, name: Manner, weight: 1}\n`

/** A rubric's text of so many keys that it doesn't know. */
export const rubricOfKeys = (keys: number): string =>
  head('keys') + Array.from({ length: keys }, (_, i) => `k${i}: 1\n`).join('')

/** A rubric of one signal with so many patterns, each of which is slow to be ruled out. */
export const rubricOfPatterns = (patterns: number): string => {
  const any = Array.from(
    { length: patterns },
    (_, i) => `          - '/(so|very|and|really|do)+ ?[a-z ]{3,40}x${i}/'\n`,
  )
  return `${head('patterns')}signals:
  - key: sig.hostile
    name: Hostile
    description: Hostile
    category: manner
    weight: 1
    present:
      say:
        by: agent
        any:
${any.join('')}`
}

/** JSON of about so many bytes that is all structure: what is dearest to read. */
export const brackets = (bytes: number): string => `[${'[],'.repeat(Math.floor(bytes / 3) - 2)}[]]`

/** JSON of about so many bytes: an object of fields that nobody knows. */
export const unknownFields = (bytes: number): string => {
  const count = Math.floor(bytes / 12)
  return `{${Array.from({ length: count }, (_, i) => `"f${i.toString(36).padStart(5, '0')}":0`).join(',')}}`
}

/** A pipeline of just under 64 KiB in conditions on paths. */
export const longMatch = (): readonly object[] => [
  { $match: { $or: Array.from({ length: 2_600 }, (_, i) => ({ score: { $gt: i } })) } },
  { $count: 'n' },
]

/** A pipeline of just under 64 KiB that computes thousands of fields. */
export const longSet = (): readonly object[] => [
  { $set: Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`a${i}`, { $add: ['$score', i] }])) },
  { $limit: 1 },
]

/** A pipeline that the engine works on for as long as it may. */
export const heavyPipeline = (seed: number): readonly object[] => [
  { $unwind: '$transcript' },
  { $set: { words: { $split: [{ $toLower: '$transcript.text' }, ' '] } } },
  { $unwind: '$words' },
  {
    $group: {
      _id: { word: '$words', seed: { $literal: seed } },
      calls: { $sum: 1 },
      agents: { $addToSet: '$agent_name' },
    },
  },
  { $sort: { calls: -1 } },
  { $limit: 20 },
]
