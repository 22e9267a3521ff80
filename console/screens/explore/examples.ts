/** Questions to begin with, by their names in the catalog. */
export const examples = {
  reasons: [
    { $group: { _id: '$interaction_driver', calls: { $sum: 1 }, score: { $avg: '$score' } } },
    { $match: { _id: { $ne: null } } },
    { $sort: { calls: -1 } },
    { $limit: 20 },
  ],
  days: [
    { $group: { _id: { $dateTrunc: { date: '$created_dt', unit: 'day' } }, calls: { $sum: 1 } } },
    { $sort: { _id: 1 } },
  ],
  hours: [
    {
      $group: {
        _id: {
          weekday: { $toString: { $isoDayOfWeek: '$created_dt' } },
          hour: { $toString: { $hour: '$created_dt' } },
        },
        calls: { $sum: 1 },
      },
    },
    { $sort: { '_id.weekday': 1, '_id.hour': 1 } },
  ],
  scores: [{ $match: { score: { $exists: true } } }, { $project: { _id: 0, score: 1 } }],
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
} as const satisfies Readonly<Record<string, readonly object[]>>

export type ExampleName = keyof typeof examples
