import type { AnalystQuestion } from './analyst-question.js'

export const cohorts: readonly AnalystQuestion[] = [
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
    sql: `select date_trunc('month', first) as _id, avg(score) as score, count(*) as calls from (
      select score, min(created_dt) over (partition by agent_name) as first from calls where project_id = $1)
      group by 1 order by 1`,
  },
  {
    question: 'Agents new since September?',
    pipeline: [
      { $group: { _id: '$agent_name', first: { $min: '$created_dt' }, last: { $max: '$created_dt' } } },
      { $match: { first: { $gte: { $date: '2026-09-01' } } } },
      { $sort: { first: 1, _id: 1 } },
    ],
    sql: `select agent_name as _id, min(created_dt) as first, max(created_dt) as last from calls where project_id = $1
      group by 1 having min(created_dt) >= '2026-09-01' order by 2, 1`,
  },
  {
    question: 'Hours between an agent’s calls?',
    pipeline: [
      {
        $setWindowFields: {
          partitionBy: '$agent_name',
          sortBy: { created_dt: 1 },
          output: { before: { $shift: { output: '$created_dt', by: -1 } } },
        },
      },
      { $project: { hours: { $dateDiff: { startDate: '$before', endDate: '$created_dt', unit: 'hour' } } } },
      { $group: { _id: null, mean: { $avg: '$hours' } } },
    ],
    sql: `select null as _id, avg(date_diff('hour', before, created_dt)) as mean from (
      select created_dt, lag(created_dt) over (partition by agent_name order by created_dt) as before
      from calls where project_id = $1)`,
  },
  {
    question: 'Customers who called again within a week?',
    pipeline: [
      { $match: { customer_display_name: { $exists: true } } },
      {
        $setWindowFields: {
          partitionBy: '$customer_display_name',
          sortBy: { created_dt: 1 },
          output: { before: { $shift: { output: '$created_dt', by: -1 } } },
        },
      },
      { $match: { $expr: { $lte: [{ $subtract: ['$created_dt', '$before'] }, 604_800_000] }, before: { $ne: null } } },
      { $count: 'calls' },
    ],
    sql: `select count(*) as calls from (select created_dt,
      lag(created_dt) over (partition by customer_display_name order by created_dt) as before
      from calls where project_id = $1 and customer_display_name is not null)
      where before is not null and created_dt - before <= interval 7 days`,
  },
  {
    question: 'Customers with the most calls?',
    pipeline: [
      { $group: { _id: '$customer_display_name', calls: { $sum: 1 }, reasons: { $addToSet: '$interaction_driver' } } },
      { $project: { calls: 1, reasons: { $size: '$reasons' } } },
      { $sort: { calls: -1, _id: 1 } },
      { $limit: 10 },
    ],
    sql: `select customer_display_name as _id, count(*) as calls, count(distinct interaction_driver) as reasons from calls
      where project_id = $1 group by 1 order by 2 desc, 1 nulls first limit 10`,
  },
  {
    question: 'Reasons of one agent beside those of all?',
    pipeline: [
      { $group: { _id: { driver: '$interaction_driver', agent: '$agent_name' }, n: { $sum: 1 } } },
      {
        $setWindowFields: { partitionBy: '$_id.driver', output: { all: { $sum: '$n' } } },
      },
      { $match: { '_id.agent': { $gte: 'M', $lt: 'N' } } },
      { $project: { n: 1, share: { $divide: ['$n', '$all'] } } },
      { $sort: { '_id.driver': 1, '_id.agent': 1 } },
    ],
    sql: `select {'driver': driver, 'agent': agent} as _id, n, n / a as share from (
      select driver, agent, n, sum(n) over (partition by driver) as a from (
        select interaction_driver as driver, agent_name as agent, count(*) as n from calls where project_id = $1 group by 1, 2))
      where agent >= 'M' and agent < 'N' order by driver, agent`,
  },
]
