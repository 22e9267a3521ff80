import { z } from 'zod'
import { REASON_UNNAMED } from '../../calls/reasons.js'
import { builtInRubrics } from '../../evaluation/rubric/built-in-rubrics.js'
import type { Language } from '../../evaluation/rules/languages/language.js'
import { wordsAsRead } from '../../evaluation/rules/words.js'
import type { Asker } from '../asker.js'
import { type CallFilter, timeFilter } from '../counted.js'
import { byKey } from '../kinds.js'
import { newestTimes } from '../newest-times.js'
import { readDocuments } from '../read-document.js'
import { clusterReasons, type ReasonCluster, type Said } from './cluster-reasons.js'

/** Most calls whose words are read: the newest of those without a named reason. */
const MOST_CALLS = 1_000
/** Fewest calls that make a cluster. */
const LEAST = 3

const row = z.object({
  _id: z.string(),
  conditions: z.array(z.object({ key: z.string(), text: z.string().optional() })).optional(),
})

const common = new Map<Language, ReadonlySet<string>>()

/** Words that say nothing of a reason: the commonest of the language, and what is said in any call by its built-in rubric. */
function commonIn(language: Language): ReadonlySet<string> {
  const known = common.get(language)
  if (known !== undefined) return known
  const rubric = [...builtInRubrics.values()].find(one => one.rubric.language === language.code)?.rubric
  const words = new Set([...language.common, ...wordsAsRead(rubric?.course?.everyday ?? [], language)])
  common.set(language, words)
  return words
}

interface UnnamedReasons {
  /** Calls whose words were looked at. */
  readonly read: number
  readonly clusters: readonly ReasonCluster[]
}

/** What customers without a reason of the driver table call for, gathered by what they say alike. */
export async function unnamedReasons(asker: Asker, filter: CallFilter, most: number): Promise<UnnamedReasons> {
  const wanted = [{ id: REASON_UNNAMED, least: MOST_CALLS }]
  const [newest] = await newestTimes(asker, { filter }, byKey('unnamed'), wanted)
  if (newest === undefined) return { read: 0, clusters: [] }
  const { before: _, ...since } = newest
  const documents = await asker.ask([
    {
      $match: {
        $and: [
          filter,
          timeFilter(since),
          { interaction_driver: { $exists: false }, 'conditions.key': { $eq: REASON_UNNAMED } },
        ],
      },
    },
    { $sort: { created_dt: -1, _id: 1 } },
    { $limit: MOST_CALLS },
    { $project: { conditions: 1 } },
  ])
  const said = readDocuments(row, documents).flatMap(({ _id: id, conditions = [] }): Said[] => {
    const text = conditions.find(({ key }) => key === REASON_UNNAMED)?.text
    return text === undefined ? [] : [{ id, text }]
  })
  return { read: said.length, clusters: clusterReasons(said, commonIn, { least: LEAST, most }) }
}
