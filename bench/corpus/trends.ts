import type { AnalystQuestion } from './analyst-question.js'

const day = { $dateTrunc: { date: '$created_dt', unit: 'day' } }
const week = { $dateTrunc: { date: '$created_dt', unit: 'week', startOfWeek: 'monday' } }
const month = { $dateTrunc: { date: '$created_dt', unit: 'month', timezone: 'Europe/Berlin' } }

export const trends: readonly AnalystQuestion[] = [
  {
    question: 'Calls a day?',
    pipeline: [{ $group: { _id: day, calls: { $sum: 1 } } }, { $sort: { _id: 1 } }],
    sql: `select date_trunc('day', created_dt) as _id, count(*) as calls from calls where project_id = $1 group by 1 order by 1`,
  },
  {
    question: 'Mean score a week since October?',
    pipeline: [
      { $match: { created_dt: { $gte: '2026-10-01' } } },
      { $group: { _id: week, score: { $avg: '$score' }, calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select date_trunc('week', created_dt) as _id, avg(score) as score, count(*) as calls from calls
      where project_id = $1 and created_dt >= '2026-10-01' group by 1 order by 1`,
  },
  {
    question: 'Mean score a month in Berlin?',
    pipeline: [{ $group: { _id: month, score: { $avg: '$score' } } }, { $sort: { _id: 1 } }],
    sql: `select timezone('UTC', timezone('Europe/Berlin', date_trunc('month', timezone('Europe/Berlin', timezone('UTC', created_dt))))) as _id,
      avg(score) as score from calls where project_id = $1 group by 1 order by 1`,
  },
  {
    question: 'Calls by month as text?',
    pipeline: [
      { $group: { _id: { $dateToString: { date: '$created_dt', format: '%Y-%m' } }, calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select strftime(created_dt, '%Y-%m') as _id, count(*) as calls from calls where project_id = $1 group by 1 order by 1`,
  },
  {
    question: 'By hour of the day in New York?',
    pipeline: [
      { $group: { _id: { $hour: { date: '$created_dt', timezone: 'America/New_York' } }, calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select hour(timezone('America/New_York', timezone('UTC', created_dt))) as _id, count(*) as calls
      from calls where project_id = $1 group by 1 order by 1`,
  },
  {
    question: 'By day of the week?',
    pipeline: [
      { $group: { _id: { $isoDayOfWeek: '$created_dt' }, calls: { $sum: 1 }, score: { $avg: '$score' } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select isodow(created_dt) as _id, count(*) as calls, avg(score) as score from calls where project_id = $1
      group by 1 order by 1`,
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
    sql: `select _id, calls, sum(calls) over (order by _id) as total from (
      select date_trunc('day', created_dt) as _id, count(*) as calls from calls where project_id = $1 group by 1) order by 1`,
  },
  {
    question: 'A moving average over seven days?',
    pipeline: [
      { $group: { _id: day, score: { $avg: '$score' } } },
      {
        $setWindowFields: { sortBy: { _id: 1 }, output: { trend: { $avg: '$score', window: { documents: [-6, 0] } } } },
      },
    ],
    sql: `select _id, score, avg(score) over (order by _id rows 6 preceding) as trend from (
      select date_trunc('day', created_dt) as _id, avg(score) as score from calls where project_id = $1 group by 1) order by 1`,
  },
  {
    question: 'The calls of the seven days before each day, by date?',
    pipeline: [
      { $group: { _id: day, calls: { $sum: 1 } } },
      {
        $setWindowFields: {
          sortBy: { _id: 1 },
          output: { recent: { $sum: '$calls', window: { range: [-6, 'current'], unit: 'day' } } },
        },
      },
    ],
    sql: `select _id, calls, sum(calls) over (order by _id range between interval 6 days preceding and current row) as recent
      from (select date_trunc('day', created_dt) as _id, count(*) as calls from calls where project_id = $1 group by 1) order by 1`,
  },
  {
    question: 'The change from week to week?',
    pipeline: [
      { $group: { _id: week, calls: { $sum: 1 } } },
      { $setWindowFields: { sortBy: { _id: 1 }, output: { before: { $shift: { output: '$calls', by: -1 } } } } },
      { $project: { calls: 1, change: { $subtract: ['$calls', '$before'] } } },
    ],
    sql: `select _id, calls, calls - lag(calls) over (order by _id) as change from (
      select date_trunc('week', created_dt) as _id, count(*) as calls from calls where project_id = $1 group by 1) order by 1`,
  },
  {
    question: 'The change from month to month in percent?',
    pipeline: [
      { $group: { _id: { $dateToString: { date: '$created_dt', format: '%Y-%m' } }, calls: { $sum: 1 } } },
      { $setWindowFields: { sortBy: { _id: 1 }, output: { before: { $shift: { output: '$calls', by: -1 } } } } },
      {
        $project: {
          change: { $round: [{ $multiply: [{ $divide: [{ $subtract: ['$calls', '$before'] }, '$before'] }, 100] }, 1] },
        },
      },
    ],
    sql: `select _id, round_even((calls - before) / before * 100, 1) as change from (
      select _id, calls, lag(calls) over (order by _id) as before from (
        select strftime(created_dt, '%Y-%m') as _id, count(*) as calls from calls where project_id = $1 group by 1)) order by 1`,
  },
  {
    question: 'Reasons by month?',
    pipeline: [
      {
        $group: {
          _id: { month: { $dateTrunc: { date: '$created_dt', unit: 'month' } }, driver: '$interaction_driver' },
          calls: { $sum: 1 },
        },
      },
      { $sort: { '_id.month': 1, calls: -1, '_id.driver': 1 } },
    ],
    sql: `select {'month': month, 'driver': driver} as _id, calls from (
      select date_trunc('month', created_dt) as month, interaction_driver as driver, count(*) as calls
      from calls where project_id = $1 group by 1, 2) order by month, calls desc, driver`,
  },
  {
    question: 'Which week was the worst of each agent?',
    pipeline: [
      { $group: { _id: { agent: '$agent_name', week }, score: { $avg: '$score' }, calls: { $sum: 1 } } },
      {
        $group: {
          _id: '$_id.agent',
          worst: { $bottom: { sortBy: { score: -1, '_id.week': 1 }, output: { week: '$_id.week', score: '$score' } } },
        },
      },
      { $sort: { _id: 1 } },
    ],
    sql: `select agent as _id, last({'week': week, 'score': score} order by score desc, week) as worst from (
      select agent_name as agent, date_trunc('week', created_dt) as week, avg(score) as score
      from calls where project_id = $1 group by 1, 2) group by 1 order by 1`,
  },
  {
    question: 'The daily score, smoothed?',
    pipeline: [
      { $group: { _id: day, score: { $avg: '$score' } } },
      { $match: { score: { $ne: null } } },
      { $setWindowFields: { sortBy: { _id: 1 }, output: { smooth: { $expMovingAvg: { input: '$score', N: 5 } } } } },
      { $project: { smooth: 1 } },
    ],
    sql: `with days as (select date_trunc('day', created_dt) as d, avg(score) as s from calls where project_id = $1 group by 1 having s is not null)
      select unnest(list(d order by d)) as _id,
        unnest(list_reduce(list([s] order by d), lambda a, x: list_append(a, x[1] / 3 + a[-1] * 2 / 3))) as smooth from days`,
  },
  {
    question: 'Calls by a day that is read from a text?',
    pipeline: [
      { $set: { text: { $dateToString: { date: '$created_dt', format: '%d.%m.%Y' } } } },
      { $group: { _id: { $dateFromString: { dateString: '$text', format: '%d.%m.%Y' } }, calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select strptime(strftime(created_dt, '%d.%m.%Y'), '%d.%m.%Y') as _id, count(*) as calls
      from calls where project_id = $1 group by 1 order by 1`,
  },
]
