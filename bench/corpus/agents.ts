import type { AnalystQuestion } from './analyst-question.js'

const share = (condition: object) => ({ $avg: { $cond: [condition, 1, 0] } })

export const agents: readonly AnalystQuestion[] = [
  {
    question: 'The ten best agents with at least five calls?',
    pipeline: [
      { $group: { _id: '$agent_name', score: { $avg: '$score' }, calls: { $sum: 1 } } },
      { $match: { calls: { $gte: 5 } } },
      { $sort: { score: -1, _id: 1 } },
      { $limit: 10 },
    ],
    sql: `select agent_name as _id, avg(score) as score, count(*) as calls from calls where project_id = $1
      group by 1 having count(*) >= 5 order by 2 desc, 1 limit 10`,
  },
  {
    question: 'Agents by share of good calls?',
    pipeline: [
      { $match: { score: { $ne: null } } },
      { $group: { _id: '$agent_name', good: share({ $gte: ['$score', 3.5] }) } },
      { $sort: { good: -1, _id: 1 } },
    ],
    sql: `select agent_name as _id, avg((score >= 3.5)::int) as good from calls where project_id = $1 and score is not null
      group by 1 order by 2 desc, 1`,
  },
  {
    question: 'Agents ranked by calls, ties sharing a place?',
    pipeline: [
      { $group: { _id: '$agent_name', calls: { $sum: 1 } } },
      { $setWindowFields: { sortBy: { calls: -1 }, output: { place: { $rank: {} } } } },
      { $sort: { place: 1, _id: 1 } },
    ],
    sql: `select agent_name as _id, count(*) as calls, rank() over (order by count(*) desc) as place
      from calls where project_id = $1 group by 1 order by 3, 1`,
  },
  {
    question: 'The best call of each agent?',
    pipeline: [
      { $sort: { score: -1, _id: 1 } },
      { $group: { _id: '$agent_name', call: { $first: '$_id' }, score: { $first: '$score' } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select agent_name as _id, first(session_id order by score desc nulls last, session_id) as call,
      first(score order by score desc nulls last, session_id) as score from calls where project_id = $1 group by 1 order by 1`,
  },
  {
    question: 'The three worst calls of each agent?',
    pipeline: [
      { $match: { score: { $type: 'number' } } },
      {
        $group: {
          _id: '$agent_name',
          worst: { $topN: { n: 3, sortBy: { score: 1, _id: 1 }, output: { id: '$_id', score: '$score' } } },
        },
      },
      { $sort: { _id: 1 } },
    ],
    sql: `select agent_name as _id, list({'id': session_id, 'score': score} order by score, session_id) as worst from (
      select agent_name, session_id, score from calls where project_id = $1 and score is not null
      qualify row_number() over (partition by agent_name order by score, session_id) <= 3) group by 1 order by 1`,
  },
  {
    question: 'The worst calls since October?',
    pipeline: [
      { $match: { created_dt: { $gte: '2026-10-01' }, score: { $lt: 3 } } },
      { $sort: { score: 1, created_dt: -1, _id: 1 } },
      { $limit: 20 },
      { $project: { title: 1, agent_name: 1, score: 1, created_dt: 1 } },
    ],
    sql: `select session_id as _id, title, agent_name, score, created_dt from calls
      where project_id = $1 and created_dt >= '2026-10-01' and score < 3 order by score, created_dt desc, session_id limit 20`,
  },
  {
    question: 'Each agent beside the team?',
    pipeline: [
      { $group: { _id: '$agent_name', score: { $avg: '$score' } } },
      { $setWindowFields: { output: { team: { $avg: '$score' } } } },
      { $project: { score: 1, ahead: { $subtract: ['$score', '$team'] } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select agent_name as _id, avg(score) as score, avg(score) - avg(avg(score)) over () as ahead
      from calls where project_id = $1 group by 1 order by 1`,
  },
  {
    question: 'The first and last call of each agent?',
    pipeline: [
      { $sort: { created_dt: 1, _id: 1 } },
      {
        $group: {
          _id: '$agent_name',
          first: { $first: { id: '$_id', at: '$created_dt' } },
          last: { $last: { id: '$_id', at: '$created_dt' } },
        },
      },
      { $sort: { _id: 1 } },
    ],
    sql: `select agent_name as _id, first({'id': session_id, 'at': created_dt} order by created_dt, session_id) as first,
      last({'id': session_id, 'at': created_dt} order by created_dt, session_id) as last
      from calls where project_id = $1 group by 1 order by 1`,
  },
  {
    question: 'The first two calls of each agent?',
    pipeline: [
      {
        $setWindowFields: {
          partitionBy: '$agent_name',
          sortBy: { created_dt: 1 },
          output: { n: { $documentNumber: {} } },
        },
      },
      { $match: { n: { $lte: 2 } } },
      { $project: { agent_name: 1, n: 1 } },
    ],
    sql: `select session_id as _id, agent_name, n from (select session_id, agent_name,
      row_number() over (partition by agent_name order by created_dt, session_id) as n from calls where project_id = $1)
      where n <= 2 order by agent_name, n`,
  },
  {
    question: 'Who improved? The last month beside what was before',
    pipeline: [
      {
        $group: {
          _id: '$agent_name',
          before: { $avg: { $cond: [{ $lt: ['$created_dt', { $date: '2026-10-22' }] }, '$score', null] } },
          after: { $avg: { $cond: [{ $gte: ['$created_dt', { $date: '2026-10-22' }] }, '$score', null] } },
        },
      },
      { $addFields: { change: { $subtract: ['$after', '$before'] } } },
      { $match: { change: { $ne: null } } },
      { $sort: { change: -1, _id: 1 } },
    ],
    sql: `select *, after - before as change from (select agent_name as _id,
      avg(score) filter (created_dt < '2026-10-22') as before, avg(score) filter (created_dt >= '2026-10-22') as after
      from calls where project_id = $1 group by 1) where after - before is not null order by change desc, _id`,
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
    sql: `select agent_name as _id, count(*) filter (channel = 'phone') as phone, count(*) filter (channel = 'chat') as chat
      from calls where project_id = $1 group by 1 order by 1`,
  },
  {
    question: 'Quartiles of agents by score?',
    pipeline: [
      { $group: { _id: '$agent_name', score: { $avg: '$score' } } },
      { $bucketAuto: { groupBy: '$score', buckets: 4, output: { agents: { $sum: 1 }, mean: { $avg: '$score' } } } },
      { $project: { _id: 0, agents: 1, mean: 1 } },
    ],
    sql: `select count(*) as agents, avg(score) as mean from (select score, least((row_number() over (order by score) - 1) // greatest(1, round(count(*) over () / 4))::bigint, 3) as q from (
      select avg(score) as score from calls where project_id = $1 group by agent_name)) group by q order by q`,
  },
]
