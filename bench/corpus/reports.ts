import type { AnalystQuestion } from './analyst-question.js'

export const reports: readonly AnalystQuestion[] = [
  {
    question: 'A whole dashboard since October?',
    pipeline: [
      { $match: { created_dt: { $gte: '2026-10-01' } } },
      {
        $facet: {
          total: [{ $group: { _id: null, calls: { $sum: 1 }, score: { $avg: '$score' } } }],
          byChannel: [{ $group: { _id: '$channel', n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
          byWeek: [
            {
              $group: {
                _id: { $dateTrunc: { date: '$created_dt', unit: 'week', startOfWeek: 'monday' } },
                calls: { $sum: 1 },
              },
            },
            { $sort: { _id: 1 } },
          ],
          worst: [{ $sort: { score: 1, _id: 1 } }, { $limit: 3 }, { $project: { title: 1, score: 1 } }],
        },
      },
    ],
    sql: `with mine as (select session_id, created_dt, score, channel, title from calls
        where project_id = $1 and created_dt >= '2026-10-01')
      select (select [{'_id': null, 'calls': count(*), 'score': avg(score)}] from mine) as total,
        (select list({'_id': channel, 'n': n} order by channel) from (select channel, count(*) as n from mine group by 1)) as byChannel,
        (select list({'_id': week, 'calls': n} order by week) from (
          select date_trunc('week', created_dt) as week, count(*) as n from mine group by 1)) as byWeek,
        (select list({'_id': session_id, 'title': title, 'score': score} order by score, session_id) from (
          select session_id, title, score from mine order by score nulls first, session_id limit 3)) as worst`,
  },
  {
    question: 'Shares of the channels?',
    pipeline: [
      { $group: { _id: '$channel', calls: { $sum: 1 } } },
      { $setWindowFields: { output: { all: { $sum: '$calls' } } } },
      { $project: { calls: 1, share: { $divide: ['$calls', '$all'] } } },
      { $sort: { share: -1, _id: 1 } },
    ],
    sql: `select channel as _id, count(*) as calls, count(*) / sum(count(*)) over () as share
      from calls where project_id = $1 group by 1 order by 3 desc, 1`,
  },
  {
    question: 'Evaluated by whom?',
    pipeline: [
      { $group: { _id: { $ifNull: ['$evaluation.evaluator', 'nobody'] }, calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select coalesce(evaluation.evaluator, 'nobody') as _id, count(*) as calls from calls where project_id = $1
      group by 1 order by 1`,
  },
  {
    question: 'A page of calls?',
    pipeline: [
      { $sort: { created_dt: -1, _id: 1 } },
      { $skip: 100 },
      { $limit: 50 },
      { $project: { title: 1, created_dt: 1, 'trust.level': 1 } },
    ],
    sql: `select session_id as _id, created_dt, title, {'level': trust.level} as trust
      from (select session_id, created_dt, title, trust from calls where project_id = $1
      order by created_dt desc, session_id limit 50 offset 100) order by created_dt desc, session_id`,
  },
  {
    question: 'A random sample?',
    pipeline: [{ $sample: { size: 100 } }, { $project: { title: 1 } }],
    sql: `select session_id as _id, title from calls where project_id = $1 order by random() limit 100`,
    unsteady: true,
  },
  {
    question: 'Whole records of an afternoon?',
    pipeline: [
      { $match: { created_dt: { $gte: '2026-11-02T12:00:00Z', $lt: '2026-11-02T18:00:00Z' } } },
      { $sort: { created_dt: 1, _id: 1 } },
      { $limit: 20 },
      { $project: { search: 0 } },
    ],
    sql: `select session_id as _id, * exclude (project_id, session_key, write_number, search_text, duration_s, signal_count, present_signals,
      guidance_keys) from calls where project_id = $1 and created_dt >= '2026-11-02 12:00' and created_dt < '2026-11-02 18:00'
      order by created_dt, session_id limit 20`,
  },
  {
    question: 'A flat row for each call of a day?',
    pipeline: [
      { $match: { created_dt: { $gte: '2026-11-02T00:00:00Z', $lt: '2026-11-03T00:00:00Z' } } },
      { $sort: { created_dt: 1, _id: 1 } },
      { $limit: 500 },
      { $replaceWith: { id: '$_id', agent: '$agent_name', lift: '$outcome_lift.lift', level: '$trust.level' } },
    ],
    sql: `select session_id as id, agent_name as agent, outcome_lift.lift as lift, trust.level as level from calls
      where project_id = $1 and created_dt >= '2026-11-02' and created_dt < '2026-11-03' order by created_dt, session_id limit 500`,
  },
  {
    question: 'One call by its id?',
    pipeline: [{ $match: { session_id: 'no-such-call' } }, { $project: { title: 1, score: 1 } }],
    sql: `select session_id as _id, title, score from calls where project_id = $1 and session_id = 'no-such-call'`,
  },
  {
    question: 'Which agents have no bad call?',
    pipeline: [
      { $group: { _id: '$agent_name', worst: { $min: '$score' } } },
      { $match: { worst: { $gte: 2 } } },
      { $project: { _id: 0, agent: '$_id', worst: 1 } },
      { $sort: { agent: 1 } },
    ],
    sql: `select min(score) as worst, agent_name as agent from calls where project_id = $1 group by 2 having min(score) >= 2 order by 2`,
  },
  {
    question: 'Days without calls filled with zero?',
    pipeline: [
      { $match: { 'session_metadata.store_id': 'S101' } },
      { $group: { _id: { $dateTrunc: { date: '$created_dt', unit: 'day' } }, calls: { $sum: 1 } } },
      { $densify: { field: '_id', range: { step: 1, unit: 'day', bounds: 'full' } } },
      { $fill: { output: { calls: { value: 0 } } } },
      { $sort: { _id: 1 } },
    ],
    sql: `with days as (select date_trunc('day', created_dt) as _id, count(*) as calls from calls
        where project_id = $1 and (session_metadata->>'$.store_id') = 'S101' group by 1)
      select d.range as _id, coalesce(calls, 0) as calls from (
        select unnest(range((select min(_id) from days), (select max(_id) from days) + interval 1 day, interval 1 day)) as range) d
      left join days on days._id = d.range order by 1`,
  },
]
