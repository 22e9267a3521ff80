/** Questions to begin with, by their names in the catalog. */
export const EXAMPLES = ['reasons', 'days', 'hours', 'scores', 'matrix', 'low'] as const
export type ExampleName = (typeof EXAMPLES)[number]

/** As they are sorted, and read. */
const WEEKDAYS = ['1 Mon', '2 Tue', '3 Wed', '4 Thu', '5 Fri', '6 Sat', '7 Sun'] as const

/** The pipeline of a question; days and hours are those of the project's time zone, as everywhere. */
export function exampleOf(name: ExampleName, timezone: string): readonly object[] {
  const began = { date: '$created_dt', timezone }
  const pipelines = {
    reasons: [
      { $group: { _id: '$interaction_driver', calls: { $sum: 1 }, score: { $avg: '$score' } } },
      { $match: { _id: { $ne: null } } },
      { $sort: { calls: -1 } },
      { $limit: 20 },
    ],
    days: [
      { $group: { _id: { $dateToString: { ...began, format: '%Y-%m-%d' } }, calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    hours: [
      {
        $group: {
          _id: {
            weekday: { $arrayElemAt: [WEEKDAYS, { $subtract: [{ $isoDayOfWeek: began }, 1] }] },
            hour: { $dateToString: { ...began, format: '%H' } },
          },
          calls: { $sum: 1 },
        },
      },
      { $sort: { '_id.weekday': 1, '_id.hour': 1 } },
    ],
    // Counted, not listed: an answer has only so many documents.
    scores: [
      { $match: { score: { $exists: true } } },
      { $group: { _id: { $toString: { $round: ['$score', 1] } }, calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    matrix: [
      { $group: { _id: { agent: '$agent_name', reason: '$interaction_driver' }, score: { $avg: '$score' } } },
      { $match: { '_id.reason': { $ne: null } } },
      { $sort: { '_id.agent': 1, '_id.reason': 1 } },
    ],
    low: [
      { $match: { score: { $lt: 2 } } },
      { $sort: { created_dt: -1 } },
      { $limit: 20 },
      { $project: { _id: 0, session_id: 1, created_dt: 1, agent_name: 1, score: 1, title: 1 } },
    ],
  } as const satisfies Readonly<Record<ExampleName, readonly object[]>>
  return pipelines[name]
}
