import type { AnalystQuestion } from './analyst-question.js'

export const talk: readonly AnalystQuestion[] = [
  {
    question: 'Do holds hurt?',
    pipeline: [
      {
        $group: {
          _id: { $gt: [{ $ifNull: ['$talk_patterns.hold_count', 0] }, 0] },
          score: { $avg: '$score' },
          calls: { $sum: 1 },
        },
      },
      { $sort: { _id: 1 } },
    ],
    sql: `select coalesce(talk_patterns.hold_count, 0) > 0 as _id, avg(score) as score, count(*) as calls
      from calls where project_id = $1 group by 1 order by 1`,
  },
  {
    question: 'Who talks too much?',
    pipeline: [
      { $match: { 'talk_patterns.talk_time_ratio': { $gt: 0.7 } } },
      { $group: { _id: '$agent_name', calls: { $sum: 1 }, ratio: { $avg: '$talk_patterns.talk_time_ratio' } } },
      { $sort: { ratio: -1, _id: 1 } },
    ],
    sql: `select agent_name as _id, count(*) as calls, avg(talk_patterns.talk_time_ratio) as ratio from calls
      where project_id = $1 and talk_patterns.talk_time_ratio > 0.7 group by 1 order by 3 desc, 1`,
  },
  {
    question: 'Minutes by agent?',
    pipeline: [
      { $group: { _id: '$agent_name', seconds: { $sum: '$talk_patterns.total_duration_s' } } },
      { $project: { minutes: { $divide: ['$seconds', 60] } } },
      { $sort: { minutes: -1, _id: 1 } },
    ],
    sql: `select agent_name as _id, coalesce(sum(talk_patterns.total_duration_s), 0) / 60 as minutes
      from calls where project_id = $1 group by 1 order by 2 desc, 1`,
  },
  {
    question: 'Turns by speaker?',
    pipeline: [
      { $unwind: '$transcript' },
      { $group: { _id: '$transcript.actor', turns: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select t.actor as _id, count(*) as turns from (select unnest(transcript) as t from calls where project_id = $1)
      group by 1 order by 1`,
  },
  {
    question: 'Who answers slowly?',
    pipeline: [
      { $match: { 'talk_patterns.avg_response_time_ms': { $exists: true } } },
      {
        $group: {
          _id: '$agent_name',
          ms: { $avg: '$talk_patterns.avg_response_time_ms' },
          p90: { $percentile: { input: '$talk_patterns.avg_response_time_ms', p: [0.9], method: 'approximate' } },
        },
      },
      { $sort: { ms: -1, _id: 1 } },
      { $limit: 10 },
    ],
    sql: `select agent_name as _id, avg(talk_patterns.avg_response_time_ms) as ms,
      quantile_disc(talk_patterns.avg_response_time_ms, [0.9]) as p90 from calls
      where project_id = $1 and talk_patterns.avg_response_time_ms is not null group by 1 order by 2 desc, 1 limit 10`,
  },
  {
    question: 'How long are calls, in steps of a minute?',
    pipeline: [
      { $match: { 'talk_patterns.total_duration_s': { $exists: true } } },
      {
        $group: { _id: { $floor: { $divide: ['$talk_patterns.total_duration_s', 60] } }, calls: { $sum: 1 } },
      },
      { $sort: { _id: 1 } },
    ],
    sql: `select floor(talk_patterns.total_duration_s / 60) as _id, count(*) as calls from calls
      where project_id = $1 and talk_patterns.total_duration_s is not null group by 1 order by 1`,
  },
  {
    question: 'Interruptions and silence by score?',
    pipeline: [
      { $match: { score: { $gte: 1 } } },
      {
        $group: {
          _id: { $trunc: '$score' },
          interruptions: { $avg: '$talk_patterns.interruption_count' },
          silence: { $avg: '$talk_patterns.silence_ratio' },
        },
      },
      { $sort: { _id: 1 } },
    ],
    sql: `select trunc(score) as _id, avg(talk_patterns.interruption_count) as interruptions,
      avg(talk_patterns.silence_ratio) as silence from calls where project_id = $1 and score >= 1 group by 1 order by 1`,
  },
]
