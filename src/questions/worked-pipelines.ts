/** A question and the pipeline that answers it. */
export interface WorkedPipeline {
  readonly question: string
  readonly pipeline: readonly object[]
}

/** What a model learns the language's use on this data from. The tests run every one of them. */
export const workedPipelines: readonly WorkedPipeline[] = [
  {
    question: 'Mean score by agent since January',
    pipeline: [
      { $match: { created_dt: { $gte: '2026-01-01' }, score: { $exists: true } } },
      { $group: { _id: '$agent_name', calls: { $sum: 1 }, score: { $avg: '$score' } } },
      { $sort: { score: -1 } },
    ],
  },
  {
    question: 'The signals most often present, and the mean score with them',
    pipeline: [
      { $unwind: '$signals' },
      { $match: { 'signals.state': 'present' } },
      { $group: { _id: '$signals.key', calls: { $sum: 1 }, score: { $avg: '$score' } } },
      { $sort: { calls: -1 } },
      { $limit: 10 },
    ],
  },
  {
    question: 'Calls and share of low scores by week',
    pipeline: [
      { $match: { score: { $exists: true } } },
      {
        $group: {
          _id: { $dateTrunc: { date: '$created_dt', unit: 'week', timezone: 'Europe/Berlin', startOfWeek: 'monday' } },
          calls: { $sum: 1 },
          low: { $avg: { $cond: [{ $lt: ['$score', 3.5] }, 1, 0] } },
        },
      },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'Median and 90th percentile of the length by reason for calling',
    pipeline: [
      {
        $group: {
          _id: '$interaction_driver',
          calls: { $sum: 1 },
          seconds: { $percentile: { input: '$talk_patterns.total_duration_s', p: [0.5, 0.9], method: 'approximate' } },
        },
      },
      { $sort: { calls: -1 } },
    ],
  },
  {
    question: 'Newest calls with urgent guidance in which the customer speaks of a card',
    pipeline: [
      {
        $match: {
          'guidance.priority': 'p0',
          transcript: { $elemMatch: { actor: 'customer', text: { $regex: 'card', $options: 'i' } } },
        },
      },
      { $sort: { created_dt: -1 } },
      { $limit: 20 },
      { $project: { agent_name: 1, created_dt: 1, score: 1, title: 1 } },
    ],
  },
]
