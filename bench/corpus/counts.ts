import type { AnalystQuestion } from './analyst-question.js'

export const counts: readonly AnalystQuestion[] = [
  {
    question: 'How many calls are there?',
    pipeline: [{ $count: 'calls' }],
    sql: `select count(*) as calls from calls where project_id = $1`,
  },
  {
    question: 'How many since October?',
    pipeline: [{ $match: { created_dt: { $gte: '2026-10-01' } } }, { $count: 'calls' }],
    sql: `select count(*) as calls from calls where project_id = $1 and created_dt >= '2026-10-01'`,
  },
  {
    question: 'How many in the last 30 days?',
    pipeline: [
      {
        $match: {
          $expr: { $gte: ['$created_dt', { $dateSubtract: { startDate: '$$NOW', unit: 'day', amount: 30 } }] },
        },
      },
      { $count: 'calls' },
    ],
    sql: `select count(*) as calls from calls where project_id = $1 and created_dt >= '2026-10-22'`,
  },
  {
    question: 'How many by channel?',
    pipeline: [{ $group: { _id: '$channel', calls: { $sum: 1 } } }, { $sort: { calls: -1, _id: 1 } }],
    sql: `select channel as _id, count(*) as calls from calls where project_id = $1 group by 1 order by 2 desc, 1`,
  },
  {
    question: 'Which reasons are there, the commonest first?',
    pipeline: [{ $sortByCount: '$interaction_driver' }],
    sql: `select interaction_driver as _id, count(*) as count from calls where project_id = $1 group by 1 order by 2 desc`,
  },
  {
    question: 'How many per agent and direction?',
    pipeline: [
      { $group: { _id: { agent: '$agent_name', direction: '$interaction_direction' }, calls: { $sum: 1 } } },
      { $sort: { '_id.agent': 1, '_id.direction': 1 } },
    ],
    sql: `select {'agent': agent_name, 'direction': interaction_direction} as _id, calls
      from (select agent_name, interaction_direction, count(*) as calls from calls where project_id = $1 group by 1, 2)
      order by agent_name, interaction_direction`,
  },
  {
    question: 'How many are not scored?',
    pipeline: [{ $match: { score: { $exists: false } } }, { $count: 'calls' }],
    sql: `select count(*) as calls from calls where project_id = $1 and score is null having count(*) > 0`,
  },
  {
    question: 'How many different agents?',
    pipeline: [{ $group: { _id: '$agent_id' } }, { $count: 'agents' }],
    sql: `select count(distinct agent_id) as agents from calls where project_id = $1`,
  },
  {
    question: 'How many agents per channel?',
    pipeline: [
      { $group: { _id: { channel: '$channel', agent: '$agent_id' } } },
      { $group: { _id: '$_id.channel', agents: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select channel as _id, count(distinct agent_id) as agents from calls where project_id = $1 group by 1 order by 1`,
  },
  {
    question: 'How many long inbound calls with a low score?',
    pipeline: [
      {
        $match: {
          interaction_direction: 'inbound',
          score: { $lt: 3 },
          'talk_patterns.total_duration_s': { $gte: 100 },
        },
      },
      { $count: 'calls' },
    ],
    sql: `select count(*) as calls from calls where project_id = $1 and interaction_direction = 'inbound' and score < 3
      and talk_patterns.total_duration_s >= 100 having count(*) > 0`,
  },
  {
    question: 'When was the first call, when the last?',
    pipeline: [{ $group: { _id: null, first: { $min: '$created_dt' }, last: { $max: '$created_dt' } } }],
    sql: `select null as _id, min(created_dt) as first, max(created_dt) as last from calls where project_id = $1`,
  },
]
