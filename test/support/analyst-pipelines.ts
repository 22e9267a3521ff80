// oxlint-disable unicorn/no-thenable -- $switch has branches with `then`
/** Questions that analysts ask of calls, as pipelines: what the engine has to run whole. */
export interface AnalystPipeline {
  readonly question: string
  readonly pipeline: readonly object[]
}

const day = { $dateTrunc: { date: '$created_dt', unit: 'day' } }
const week = { $dateTrunc: { date: '$created_dt', unit: 'week', startOfWeek: 'monday' } }
const month = { $dateTrunc: { date: '$created_dt', unit: 'month', timezone: 'Europe/Berlin' } }
const byMonth = { $dateToString: { date: '$created_dt', format: '%Y-%m' } }
const share = (condition: object) => ({ $avg: { $cond: [condition, 1, 0] } })
const since = { $match: { created_dt: { $gte: '2026-01-01' } } }

export const analystPipelines: readonly AnalystPipeline[] = [
  // counts
  { question: 'How many calls are there?', pipeline: [{ $count: 'calls' }] },
  { question: 'How many since January?', pipeline: [since, { $count: 'calls' }] },
  {
    question: 'How many by channel?',
    pipeline: [{ $group: { _id: '$channel', calls: { $sum: 1 } } }, { $sort: { calls: -1, _id: 1 } }],
  },
  { question: 'Which channels are there?', pipeline: [{ $sortByCount: '$channel' }] },
  {
    question: 'How many per agent and direction?',
    pipeline: [
      { $group: { _id: { agent: '$agent_name', direction: '$interaction_direction' }, calls: { $sum: 1 } } },
      { $sort: { '_id.agent': 1, '_id.direction': 1 } },
    ],
  },
  { question: 'How many are not scored?', pipeline: [{ $match: { score: { $exists: false } } }, { $count: 'calls' }] },
  { question: 'How many different agents?', pipeline: [{ $group: { _id: '$agent_id' } }, { $count: 'agents' }] },
  {
    question: 'How many agents per channel?',
    pipeline: [
      { $group: { _id: { channel: '$channel', agent: '$agent_id' } } },
      { $group: { _id: '$_id.channel', agents: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
  },
  // trends
  { question: 'Calls a day?', pipeline: [{ $group: { _id: day, calls: { $sum: 1 } } }, { $sort: { _id: 1 } }] },
  {
    question: 'Mean score a week?',
    pipeline: [since, { $group: { _id: week, score: { $avg: '$score' }, calls: { $sum: 1 } } }, { $sort: { _id: 1 } }],
  },
  {
    question: 'Mean score a month in Berlin?',
    pipeline: [{ $group: { _id: month, score: { $avg: '$score' } } }, { $sort: { _id: 1 } }],
  },
  {
    question: 'Calls by month as text?',
    pipeline: [{ $group: { _id: byMonth, calls: { $sum: 1 } } }, { $sort: { _id: 1 } }],
  },
  {
    question: 'By hour of the day?',
    pipeline: [
      { $group: { _id: { $hour: { date: '$created_dt', timezone: 'America/New_York' } }, calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'By day of the week?',
    pipeline: [
      { $group: { _id: { $isoDayOfWeek: '$created_dt' }, calls: { $sum: 1 }, score: { $avg: '$score' } } },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'The running total of calls?',
    pipeline: [
      { $group: { _id: day, calls: { $sum: 1 } } },
      {
        $setWindowFields: {
          sortBy: { _id: 1 },
          output: { total: { $sum: '$calls', window: { documents: ['unbounded', 'current'] } } },
        },
      },
    ],
  },
  {
    question: 'A moving average over seven days?',
    pipeline: [
      { $group: { _id: day, score: { $avg: '$score' } } },
      {
        $setWindowFields: { sortBy: { _id: 1 }, output: { trend: { $avg: '$score', window: { documents: [-6, 0] } } } },
      },
    ],
  },
  {
    question: 'The change from week to week?',
    pipeline: [
      { $group: { _id: week, calls: { $sum: 1 } } },
      { $setWindowFields: { sortBy: { _id: 1 }, output: { before: { $shift: { output: '$calls', by: -1 } } } } },
      { $project: { calls: 1, change: { $subtract: ['$calls', '$before'] } } },
    ],
  },
  {
    question: 'The change in percent?',
    pipeline: [
      { $group: { _id: byMonth, calls: { $sum: 1 } } },
      { $setWindowFields: { sortBy: { _id: 1 }, output: { before: { $shift: { output: '$calls', by: -1 } } } } },
      {
        $project: {
          change: { $round: [{ $multiply: [{ $divide: [{ $subtract: ['$calls', '$before'] }, '$before'] }, 100] }, 1] },
        },
      },
    ],
  },
  // leaderboards
  {
    question: 'The five best agents?',
    pipeline: [
      { $group: { _id: '$agent_name', score: { $avg: '$score' }, calls: { $sum: 1 } } },
      { $match: { calls: { $gte: 1 } } },
      { $sort: { score: -1, _id: 1 } },
      { $limit: 5 },
    ],
  },
  {
    question: 'Agents by share of good calls?',
    pipeline: [
      { $match: { score: { $ne: null } } },
      { $group: { _id: '$agent_name', good: share({ $gte: ['$score', 3.5] }) } },
      { $sort: { good: -1, _id: 1 } },
    ],
  },
  {
    question: 'Ranked with ties?',
    pipeline: [
      { $group: { _id: '$agent_name', calls: { $sum: 1 } } },
      { $setWindowFields: { sortBy: { calls: -1 }, output: { place: { $rank: {} } } } },
      { $sort: { place: 1, _id: 1 } },
    ],
  },
  {
    question: 'The best call of each agent?',
    pipeline: [
      { $sort: { score: -1, _id: 1 } },
      { $group: { _id: '$agent_name', call: { $first: '$_id' }, score: { $first: '$score' } } },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'The three worst calls of each agent?',
    pipeline: [
      { $match: { score: { $type: 'number' } } },
      {
        $group: {
          _id: '$agent_name',
          worst: { $bottomN: { n: 3, sortBy: { score: -1, _id: 1 }, output: { id: '$_id', score: '$score' } } },
        },
      },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'The worst calls of the week?',
    pipeline: [
      since,
      { $match: { score: { $lt: 3 } } },
      { $sort: { score: 1, created_dt: -1, _id: 1 } },
      { $limit: 10 },
      { $project: { title: 1, agent_name: 1, score: 1, created_dt: 1 } },
    ],
  },
  {
    question: 'Each agent beside the team?',
    pipeline: [
      { $group: { _id: '$agent_name', score: { $avg: '$score' } } },
      { $setWindowFields: { output: { team: { $avg: '$score' } } } },
      { $project: { score: 1, ahead: { $subtract: ['$score', '$team'] } } },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'Numbered calls of each agent?',
    pipeline: [
      {
        $setWindowFields: {
          partitionBy: '$agent_name',
          sortBy: { created_dt: 1, _id: 1 },
          output: { n: { $documentNumber: {} } },
        },
      },
      { $match: { n: { $lte: 2 } } },
      { $project: { agent_name: 1, n: 1 } },
    ],
  },
  // distributions
  {
    question: 'How are scores spread?',
    pipeline: [{ $bucket: { groupBy: '$score', boundaries: [1, 2, 3, 4, 5.01], default: 'not scored' } }],
  },
  {
    question: 'Median and 90th percentile of the length?',
    pipeline: [
      {
        $group: {
          _id: null,
          p: { $percentile: { input: '$talk_patterns.total_duration_s', p: [0.5, 0.9], method: 'approximate' } },
          median: { $median: { input: '$talk_patterns.total_duration_s', method: 'approximate' } },
        },
      },
    ],
  },
  {
    question: 'Percentiles by channel?',
    pipeline: [
      {
        $group: { _id: '$channel', p: { $percentile: { input: '$score', p: [0.1, 0.5, 0.9], method: 'approximate' } } },
      },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'Spread of scores by agent?',
    pipeline: [
      {
        $group: {
          _id: '$agent_name',
          low: { $min: '$score' },
          high: { $max: '$score' },
          deviation: { $stdDevPop: '$score' },
        },
      },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'Rounded scores?',
    pipeline: [
      { $match: { score: { $ne: null } } },
      { $group: { _id: { $round: ['$score', 0] }, calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'Scores in words?',
    pipeline: [
      {
        $project: {
          band: {
            $switch: {
              branches: [
                { case: { $gte: ['$score', 4] }, then: 'good' },
                { case: { $gte: ['$score', 3] }, then: 'fair' },
              ],
              default: 'poor',
            },
          },
        },
      },
      { $sortByCount: '$band' },
    ],
  },
  {
    question: 'Lift bands?',
    pipeline: [
      { $match: { 'outcome_lift.lift': { $exists: true } } },
      { $group: { _id: '$outcome_lift.lift_band', calls: { $sum: 1 }, lift: { $avg: '$outcome_lift.lift' } } },
      { $sort: { _id: 1 } },
    ],
  },
  // reasons, signals, guidance
  {
    question: 'Why do customers call?',
    pipeline: [
      { $group: { _id: '$interaction_driver', calls: { $sum: 1 } } },
      { $sort: { calls: -1, _id: 1 } },
      { $limit: 10 },
    ],
  },
  {
    question: 'How often does each signal occur?',
    pipeline: [
      { $unwind: '$signals' },
      { $match: { 'signals.state': 'present' } },
      { $group: { _id: '$signals.key', calls: { $sum: 1 } } },
      { $sort: { calls: -1, _id: 1 } },
    ],
  },
  {
    question: 'Signals by state?',
    pipeline: [
      { $unwind: '$signals' },
      {
        $group: {
          _id: { key: '$signals.key', state: '$signals.state' },
          n: { $sum: 1 },
          strength: { $avg: '$signals.strength' },
        },
      },
      { $sort: { '_id.key': 1, '_id.state': 1 } },
    ],
  },
  {
    question: 'Score with and without a signal?',
    pipeline: [
      {
        $group: {
          _id: { $in: ['k.a', { $ifNull: ['$signals.key', []] }] },
          score: { $avg: '$score' },
          calls: { $sum: 1 },
        },
      },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'Calls that show a signal strongly?',
    pipeline: [
      { $match: { signals: { $elemMatch: { key: 'k.a', state: 'present', strength: { $gte: 0.5 } } } } },
      { $project: { title: 1, agent_name: 1 } },
    ],
  },
  {
    question: 'Calls with two signals?',
    pipeline: [{ $match: { 'signals.key': { $all: ['k.a', 'k.b'] } } }, { $count: 'calls' }],
  },
  {
    question: 'Calls with at least one signal?',
    pipeline: [{ $match: { 'signals.0': { $exists: true } } }, { $count: 'calls' }],
  },
  {
    question: 'How many signals has a call?',
    pipeline: [
      { $project: { n: { $size: { $ifNull: ['$signals', []] } } } },
      { $group: { _id: '$n', calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'Only present signals of each call?',
    pipeline: [
      {
        $project: {
          present: {
            $map: {
              input: {
                $filter: { input: { $ifNull: ['$signals', []] }, as: 's', cond: { $eq: ['$$s.state', 'present'] } },
              },
              as: 's',
              in: '$$s.key',
            },
          },
        },
      },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'Quotes behind a signal?',
    pipeline: [
      { $unwind: '$signals' },
      { $unwind: '$signals.evidence' },
      { $project: { _id: 0, key: '$signals.key', quote: '$signals.evidence.quote', turn: '$signals.evidence.turn' } },
      { $limit: 20 },
    ],
  },
  {
    question: 'What guidance is given most?',
    pipeline: [
      { $unwind: '$guidance' },
      { $group: { _id: { key: '$guidance.key', kind: '$guidance.kind' }, calls: { $sum: 1 } } },
      { $sort: { calls: -1, '_id.key': 1 } },
    ],
  },
  {
    question: 'What speaks against relying on evaluations?',
    pipeline: [{ $unwind: '$trust.reasons' }, { $sortByCount: '$trust.reasons' }],
  },
  {
    question: 'Mean of each quality dimension?',
    pipeline: [
      { $unwind: '$scores' },
      { $group: { _id: '$scores.key', value: { $avg: '$scores.value' }, n: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'Readings?',
    pipeline: [
      { $unwind: '$dimensions' },
      { $group: { _id: { key: '$dimensions.key', value: '$dimensions.value' }, n: { $sum: 1 } } },
      { $sort: { '_id.key': 1, '_id.value': 1 } },
    ],
  },
  // talk patterns
  {
    question: 'Do long holds hurt?',
    pipeline: [
      {
        $group: {
          _id: { $gt: [{ $ifNull: ['$talk_patterns.hold_count', 0] }, 1] },
          score: { $avg: '$score' },
          calls: { $sum: 1 },
        },
      },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'Talking shares?',
    pipeline: [
      { $match: { 'talk_patterns.talk_time_ratio': { $gt: 0.6 } } },
      { $group: { _id: '$agent_name', calls: { $sum: 1 }, ratio: { $avg: '$talk_patterns.talk_time_ratio' } } },
      { $sort: { ratio: -1, _id: 1 } },
    ],
  },
  {
    question: 'Minutes by agent?',
    pipeline: [
      { $group: { _id: '$agent_name', seconds: { $sum: '$talk_patterns.total_duration_s' } } },
      { $project: { minutes: { $divide: ['$seconds', 60] } } },
      { $sort: { minutes: -1, _id: 1 } },
    ],
  },
  {
    question: 'Turns by speaker?',
    pipeline: [
      { $unwind: '$transcript' },
      { $group: { _id: '$transcript.actor', turns: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
  },
  // texts
  {
    question: 'Titles with a word?',
    pipeline: [
      { $match: { title: { $regex: 'refund', $options: 'i' } } },
      { $project: { title: 1 } },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'Words in the transcript?',
    pipeline: [{ $match: { 'transcript.text': { $regex: 'a' } } }, { $count: 'calls' }],
  },
  {
    question: 'First word of titles?',
    pipeline: [
      { $match: { title: { $ne: null } } },
      { $group: { _id: { $toLower: { $arrayElemAt: [{ $split: ['$title', ' '] }, 0] } }, n: { $sum: 1 } } },
      { $sort: { n: -1, _id: 1 } },
    ],
  },
  // cohorts
  {
    question: 'Scores by first month of the agent?',
    pipeline: [
      { $setWindowFields: { partitionBy: '$agent_name', output: { first: { $min: '$created_dt' } } } },
      {
        $group: {
          _id: { $dateTrunc: { date: '$first', unit: 'month' } },
          score: { $avg: '$score' },
          calls: { $sum: 1 },
        },
      },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'New agents since January?',
    pipeline: [
      { $group: { _id: '$agent_name', first: { $min: '$created_dt' }, last: { $max: '$created_dt' } } },
      { $match: { first: { $gte: { $date: '2026-01-01' } } } },
      { $sort: { first: 1, _id: 1 } },
    ],
  },
  {
    question: 'Days between an agent’s calls?',
    pipeline: [
      {
        $setWindowFields: {
          partitionBy: '$agent_name',
          sortBy: { created_dt: 1, _id: 1 },
          output: { before: { $shift: { output: '$created_dt', by: -1 } } },
        },
      },
      { $project: { days: { $dateDiff: { startDate: '$before', endDate: '$created_dt', unit: 'day' } } } },
      { $group: { _id: null, mean: { $avg: '$days' } } },
    ],
  },
  // metadata
  {
    question: 'Calls by store?',
    pipeline: [
      { $group: { _id: '$session_metadata.s', calls: { $sum: 1 }, score: { $avg: '$score' } } },
      { $sort: { calls: -1, _id: 1 } },
    ],
  },
  {
    question: 'Stores by name?',
    pipeline: [{ $group: { _id: '$session_metadata.s', calls: { $sum: 1 } } }, { $sort: { _id: 1 } }],
  },
  {
    question: 'Sum of a number in the metadata?',
    pipeline: [
      { $group: { _id: '$agent_name', total: { $sum: '$session_metadata.n' }, mean: { $avg: '$session_metadata.n' } } },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'Tags of the metadata?',
    pipeline: [{ $unwind: '$session_metadata.tags' }, { $sortByCount: '$session_metadata.tags' }],
  },
  {
    question: 'Calls with a tag?',
    pipeline: [{ $match: { 'session_metadata.tags': { $in: ['a', 'b'] } } }, { $count: 'calls' }],
  },
  {
    question: 'Calls with a larger number in the metadata?',
    pipeline: [
      { $match: { 'session_metadata.n': { $gte: 2 } } },
      { $sort: { 'session_metadata.n': -1, _id: 1 } },
      { $project: { n: '$session_metadata.n' } },
    ],
  },
  {
    question: 'Two metadata fields together?',
    pipeline: [
      { $group: { _id: { s: '$session_metadata.s', channel: '$channel' }, n: { $sum: 1 } } },
      { $sort: { n: -1 } },
      { $limit: 50 },
    ],
  },
  // facets and reports
  {
    question: 'A whole dashboard?',
    pipeline: [
      since,
      {
        $facet: {
          total: [{ $count: 'calls' }],
          byChannel: [{ $sortByCount: '$channel' }],
          byWeek: [{ $group: { _id: week, calls: { $sum: 1 } } }, { $sort: { _id: 1 } }],
          worst: [{ $sort: { score: 1, _id: 1 } }, { $limit: 3 }, { $project: { title: 1, score: 1 } }],
        },
      },
    ],
  },
  {
    question: 'Totals beside shares?',
    pipeline: [
      { $group: { _id: '$channel', calls: { $sum: 1 } } },
      { $setWindowFields: { output: { all: { $sum: '$calls' } } } },
      { $project: { calls: 1, share: { $divide: ['$calls', '$all'] } } },
      { $sort: { share: -1, _id: 1 } },
    ],
  },
  {
    question: 'A table of agents by channel?',
    pipeline: [
      {
        $group: {
          _id: '$agent_name',
          phone: { $sum: { $cond: [{ $eq: ['$channel', 'phone'] }, 1, 0] } },
          chat: { $sum: { $cond: [{ $eq: ['$channel', 'chat'] }, 1, 0] } },
        },
      },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'Evaluated by whom?',
    pipeline: [
      { $group: { _id: { $ifNull: ['$evaluation.evaluator', 'nobody'] }, calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
  },
  {
    question: 'A page of calls?',
    pipeline: [
      { $sort: { created_dt: -1, _id: 1 } },
      { $skip: 2 },
      { $limit: 3 },
      { $project: { title: 1, created_dt: 1, 'trust.level': 1 } },
    ],
  },
  { question: 'A random sample?', pipeline: [{ $sample: { size: 1000 } }, { $count: 'n' }] },
  {
    question: 'A flat row for each call?',
    pipeline: [
      { $replaceWith: { id: '$_id', agent: '$agent_name', lift: '$outcome_lift.lift', level: '$trust.level' } },
      { $sort: { id: 1 } },
    ],
  },
]
