import { z } from 'zod'
import type { ThreadWork } from '../../admission/threads.js'
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

/** Most characters of what a customer said that are read: more than rules quote, of what others evaluated may be long. */
const MOST_CHARACTERS = 300

const row = z.object({ id: z.string(), text: z.string() })

/** What the customer said, of a call that has no named reason; empty where there is no text for the caller. */
const SAID = {
  $let: {
    vars: {
      unnamed: {
        $first: {
          $filter: { input: '$conditions', as: 'condition', cond: { $eq: ['$$condition.key', REASON_UNNAMED] } },
        },
      },
    },
    in: { $substrCP: [{ $ifNull: ['$$unnamed.text', ''] }, 0, MOST_CHARACTERS] },
  },
}

interface GatherTask {
  readonly said: readonly Said[]
  readonly most: number
}

const GATHER_REASONS: ThreadWork<GatherTask, readonly ReasonCluster[]> = { name: 'gatherReasons', deadlineMs: 30_000 }

/** Characters that are gathered (some milliseconds) before a thread has heard of them. */
const FEW = 5_000

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

/** What a thread runs; see clusterReasons. */
export function gatherReasons({ said, most }: GatherTask): readonly ReasonCluster[] {
  return clusterReasons(said, commonIn, { least: LEAST, most })
}

interface UnnamedReasons {
  /** Calls whose words were looked at. */
  readonly read: number
  readonly clusters: readonly ReasonCluster[]
}

/** What customers without a reason of the driver table call for, gathered by what they say alike. */
export async function unnamedReasons(asker: Asker, filter: CallFilter, most: number): Promise<UnnamedReasons> {
  const wanted = { counts: byKey('unnamed'), of: [{ id: REASON_UNNAMED, least: MOST_CALLS }] }
  const [[newest] = []] = await newestTimes(asker, { filter }, [wanted])
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
    { $project: { _id: 0, id: '$_id', text: SAID } },
  ])
  const said = readDocuments(row, documents).filter(({ text }) => text !== '')
  const task = { said, most }
  const characters = said.reduce((sum, { text }) => sum + text.length, 0)
  const clusters = characters <= FEW ? gatherReasons(task) : await asker.apart(GATHER_REASONS, task)
  return { read: said.length, clusters }
}
