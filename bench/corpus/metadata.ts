import type { AnalystQuestion } from './analyst-question.js'

const text = (name: string) => `(session_metadata->>'$.${name}')`
const number = (name: string) => `(session_metadata->>'$.${name}')::double`

export const metadata: readonly AnalystQuestion[] = [
  {
    question: 'Calls and scores by store?',
    pipeline: [
      { $group: { _id: '$session_metadata.store_id', calls: { $sum: 1 }, score: { $avg: '$score' } } },
      { $sort: { calls: -1, _id: 1 } },
    ],
    sql: `select ${text('store_id')} as _id, count(*) as calls, avg(score) as score from calls where project_id = $1
      group by 1 order by 2 desc, 1`,
  },
  {
    question: 'Locations by name?',
    pipeline: [{ $group: { _id: '$session_metadata.location', calls: { $sum: 1 } } }, { $sort: { _id: 1 } }],
    sql: `select ${text('location')} as _id, count(*) as calls from calls where project_id = $1 group by 1 order by 1`,
  },
  {
    question: 'Waiting time by queue?',
    pipeline: [
      {
        $group: {
          _id: '$session_metadata.queue',
          mean: { $avg: '$session_metadata.wait_seconds' },
          longest: { $max: '$session_metadata.wait_seconds' },
        },
      },
      { $sort: { mean: -1 } },
    ],
    sql: `select ${text('queue')} as _id, avg(${number('wait_seconds')}) as mean, max(${number('wait_seconds')}) as longest
      from calls where project_id = $1 group by 1 order by 2 desc`,
  },
  {
    question: 'Calls that waited over three minutes?',
    pipeline: [{ $match: { 'session_metadata.wait_seconds': { $gt: 180 } } }, { $count: 'calls' }],
    sql: `select count(*) as calls from calls where project_id = $1 and ${number('wait_seconds')} > 180`,
  },
  {
    question: 'The calls that waited longest?',
    pipeline: [
      { $sort: { 'session_metadata.wait_seconds': -1, _id: 1 } },
      { $limit: 20 },
      { $project: { wait: '$session_metadata.wait_seconds', queue: '$session_metadata.queue' } },
    ],
    sql: `select session_id as _id, ${number('wait_seconds')} as wait, ${text('queue')} as queue
      from calls where project_id = $1 order by ${number('wait_seconds')} desc nulls last, session_id limit 20`,
  },
  {
    question: 'Companies and channels together?',
    pipeline: [
      { $group: { _id: { company: '$session_metadata.company_name', channel: '$channel' }, n: { $sum: 1 } } },
      { $sort: { n: -1 } },
      { $limit: 50 },
    ],
    sql: `select {'company': company, 'channel': channel} as _id, n from (select ${text('company_name')} as company, channel,
      count(*) as n from calls where project_id = $1 group by 1, 2) order by n desc limit 50`,
  },
  {
    question: 'Calls of some stores since October?',
    pipeline: [
      { $match: { 'session_metadata.store_id': { $in: ['S101', 'S102'] }, created_dt: { $gte: '2026-10-01' } } },
      { $group: { _id: '$session_metadata.store_id', score: { $avg: '$score' }, calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select ${text('store_id')} as _id, avg(score) as score, count(*) as calls from calls where project_id = $1
      and created_dt >= '2026-10-01' and ${text('store_id')} in ('S101', 'S102') group by 1 order by 1`,
  },
  {
    question: 'Does waiting hurt the score?',
    pipeline: [
      { $match: { 'session_metadata.wait_seconds': { $type: 'number' } } },
      {
        $bucket: {
          groupBy: '$session_metadata.wait_seconds',
          boundaries: [0, 60, 120, 180, 100_000],
          output: { calls: { $sum: 1 }, score: { $avg: '$score' } },
        },
      },
    ],
    sql: `select case when w < 60 then 0 when w < 120 then 60 when w < 180 then 120 else 180 end as _id, count(*) as calls,
      avg(score) as score from (select score, ${number('wait_seconds')} as w from calls where project_id = $1)
      where w is not null group by 1 order by 1`,
  },
  {
    question: 'Which metadata do calls carry?',
    pipeline: [
      { $project: { field: { $objectToArray: '$session_metadata' } } },
      { $unwind: '$field' },
      { $sortByCount: '$field.k' },
    ],
    sql: `select _id, count(*) as count from (select unnest(json_keys(session_metadata)) as _id from calls where project_id = $1)
      group by 1 order by 2 desc`,
  },
]
