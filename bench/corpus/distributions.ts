// oxlint-disable unicorn/no-thenable -- $switch has branches with `then`
import type { AnalystQuestion } from './analyst-question.js'

export const distributions: readonly AnalystQuestion[] = [
  {
    question: 'How are scores spread?',
    pipeline: [{ $bucket: { groupBy: '$score', boundaries: [1, 2, 3, 4, 5.01], default: 'not scored' } }],
    sql: `select case when score < 2 then '1' when score < 3 then '2' when score < 4 then '3' when score < 5.01 then '4'
      else 'not scored' end as _id, count(*) as count from calls where project_id = $1 group by 1 order by 1`,
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
    sql: `select null as _id, quantile_disc(talk_patterns.total_duration_s, [0.5, 0.9]) as p,
      quantile_disc(talk_patterns.total_duration_s, 0.5) as median from calls where project_id = $1`,
  },
  {
    question: 'Percentiles of the score by channel?',
    pipeline: [
      {
        $group: { _id: '$channel', p: { $percentile: { input: '$score', p: [0.1, 0.5, 0.9], method: 'approximate' } } },
      },
      { $sort: { _id: 1 } },
    ],
    sql: `select channel as _id, quantile_disc(score, [0.1, 0.5, 0.9]) as p from calls where project_id = $1 group by 1 order by 1`,
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
    sql: `select agent_name as _id, min(score) as low, max(score) as high, stddev_pop(score) as deviation
      from calls where project_id = $1 group by 1 order by 1`,
  },
  {
    question: 'Calls by rounded score?',
    pipeline: [
      { $match: { score: { $ne: null } } },
      { $group: { _id: { $round: ['$score', 0] }, calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select round_even(score, 0) as _id, count(*) as calls from calls where project_id = $1 and score is not null
      group by 1 order by 1`,
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
    sql: `select case when score >= 4 then 'good' when score >= 3 then 'fair' else 'poor' end as _id, count(*) as count
      from calls where project_id = $1 group by 1 order by 2 desc`,
  },
  {
    question: 'Lift bands?',
    pipeline: [
      { $match: { 'outcome_lift.lift': { $exists: true } } },
      { $group: { _id: '$outcome_lift.lift_band', calls: { $sum: 1 }, lift: { $avg: '$outcome_lift.lift' } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select outcome_lift.lift_band as _id, count(*) as calls, avg(outcome_lift.lift) as lift from calls
      where project_id = $1 and outcome_lift.lift is not null group by 1 order by 1`,
  },
  {
    question: 'Score beside predicted satisfaction?',
    pipeline: [
      { $match: { score: { $exists: true }, predicted_csat: { $exists: true } } },
      {
        $group: {
          _id: { score: { $floor: '$score' }, csat: { $floor: '$predicted_csat' } },
          calls: { $sum: 1 },
        },
      },
      { $sort: { '_id.score': 1, '_id.csat': 1 } },
    ],
    sql: `select {'score': s, 'csat': c} as _id, calls from (select floor(score) as s, floor(predicted_csat) as c,
      count(*) as calls from calls where project_id = $1 and score is not null and predicted_csat is not null
      group by 1, 2) order by s, c`,
  },
  {
    question: 'Readings of the dimensions?',
    pipeline: [
      { $unwind: '$dimensions' },
      { $group: { _id: { key: '$dimensions.key', value: '$dimensions.value' }, n: { $sum: 1 } } },
      { $sort: { '_id.key': 1, '_id.value': 1 } },
    ],
    sql: `select {'key': d.key, 'value': d.value} as _id, count(*) as n from (
      select unnest(dimensions) as d from calls where project_id = $1) group by d.key, d.value order by d.key, d.value`,
  },
  {
    question: 'Mean of each quality dimension?',
    pipeline: [
      { $unwind: '$scores' },
      { $group: { _id: '$scores.key', value: { $avg: '$scores.value' }, n: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select s.key as _id, avg(s.value) as value, count(*) as n from (
      select unnest(scores) as s from calls where project_id = $1) group by 1 order by 1`,
  },
]
