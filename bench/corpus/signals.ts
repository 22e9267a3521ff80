import type { AnalystQuestion } from './analyst-question.js'

export const signals: readonly AnalystQuestion[] = [
  {
    question: 'How often does each signal occur?',
    pipeline: [
      { $unwind: '$signals' },
      { $match: { 'signals.state': 'present' } },
      { $group: { _id: '$signals.key', calls: { $sum: 1 } } },
      { $sort: { calls: -1, _id: 1 } },
    ],
    sql: `select s.key as _id, count(*) as calls from (select unnest(signals) as s from calls where project_id = $1)
      where s.state = 'present' group by 1 order by 2 desc, 1`,
  },
  {
    question: 'Signals by state, with their strength?',
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
    sql: `select {'key': s.key, 'state': s.state} as _id, count(*) as n, avg(s.strength) as strength from (
      select unnest(signals) as s from calls where project_id = $1) group by s.key, s.state order by s.key, s.state`,
  },
  {
    question: 'Score with and without a reading of a signal?',
    pipeline: [
      {
        $group: {
          _id: { $in: ['sig.empathy_shown', { $ifNull: ['$signals.key', []] }] },
          score: { $avg: '$score' },
          calls: { $sum: 1 },
        },
      },
      { $sort: { _id: 1 } },
    ],
    sql: `select coalesce(list_contains(list_transform(signals, lambda s: s.key), 'sig.empathy_shown'), false) as _id,
      avg(score) as score, count(*) as calls from calls where project_id = $1 group by 1 order by 1`,
  },
  {
    question: 'Calls that show a signal strongly?',
    pipeline: [
      {
        $match: {
          signals: { $elemMatch: { key: 'sig.customer_frustrated', state: 'present', strength: { $gte: 0.8 } } },
        },
      },
      { $sort: { created_dt: -1, _id: 1 } },
      { $limit: 20 },
      { $project: { title: 1, agent_name: 1 } },
    ],
    sql: `select session_id as _id, agent_name, title from calls where project_id = $1 and len(list_filter(signals,
      lambda s: s.key = 'sig.customer_frustrated' and s.state = 'present' and s.strength >= 0.8)) > 0
      order by created_dt desc, session_id limit 20`,
  },
  {
    question: 'Calls read for two signals?',
    pipeline: [
      { $match: { 'signals.key': { $all: ['sig.hold_requested', 'sig.hold_thanked'] } } },
      { $count: 'calls' },
    ],
    sql: `select count(*) as calls from calls where project_id = $1 and
      list_has_all(list_transform(signals, lambda s: s.key), ['sig.hold_requested', 'sig.hold_thanked'])`,
  },
  {
    question: 'Calls with at least one signal?',
    pipeline: [{ $match: { 'signals.0': { $exists: true } } }, { $count: 'calls' }],
    sql: `select count(*) as calls from calls where project_id = $1 and len(signals) > 0`,
  },
  {
    question: 'How many signals has a call?',
    pipeline: [
      { $project: { n: { $size: { $ifNull: ['$signals', []] } } } },
      { $group: { _id: '$n', calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select coalesce(len(signals), 0) as _id, count(*) as calls from calls where project_id = $1 group by 1 order by 1`,
  },
  {
    question: 'The present signals of the newest calls?',
    pipeline: [
      { $sort: { created_dt: -1, _id: 1 } },
      { $limit: 50 },
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
    ],
    sql: `select session_id as _id, list_transform(list_filter(coalesce(signals, []), lambda s: s.state = 'present'),
      lambda s: s.key) as present from (select session_id, signals, created_dt from calls where project_id = $1
      order by created_dt desc, session_id limit 50) order by created_dt desc, session_id`,
  },
  {
    question: 'Quotes behind a signal?',
    pipeline: [
      { $match: { 'signals.key': 'sig.cancel_intent' } },
      { $sort: { created_dt: -1, _id: 1 } },
      { $unwind: '$signals' },
      { $match: { 'signals.key': 'sig.cancel_intent', 'signals.state': 'present' } },
      { $unwind: '$signals.evidence' },
      { $limit: 20 },
      { $project: { quote: '$signals.evidence.quote', turn: '$signals.evidence.turn' } },
    ],
    sql: `select _id, e.quote as quote, e.turn as turn from (
      select session_id as _id, created_dt, unnest(s.evidence) as e from (
        select session_id, created_dt, unnest(list_filter(signals,
          lambda s: s.key = 'sig.cancel_intent' and s.state = 'present')) as s from calls where project_id = $1))
      order by created_dt desc, _id limit 20`,
  },
  {
    question: 'Which signals go with low scores?',
    pipeline: [
      { $match: { score: { $exists: true } } },
      { $unwind: '$signals' },
      { $match: { 'signals.state': 'present' } },
      { $group: { _id: '$signals.key', score: { $avg: '$score' }, calls: { $sum: 1 } } },
      { $match: { calls: { $gte: 10 } } },
      { $sort: { score: 1, _id: 1 } },
      { $limit: 10 },
    ],
    sql: `select s.key as _id, avg(score) as score, count(*) as calls from (
      select score, unnest(signals) as s from calls where project_id = $1 and score is not null)
      where s.state = 'present' group by 1 having count(*) >= 10 order by 2, 1 limit 10`,
  },
  {
    question: 'A funnel: greeted, named, verified, resolved?',
    pipeline: [
      {
        $project: {
          present: {
            $map: {
              input: { $filter: { input: '$signals', as: 's', cond: { $eq: ['$$s.state', 'present'] } } },
              as: 's',
              in: '$$s.key',
            },
          },
        },
      },
      { $match: { present: { $ne: null } } },
      {
        $project: {
          greeted: { $in: ['sig.greeting_given', '$present'] },
          verified: { $setIsSubset: [['sig.greeting_given', 'sig.identity_verified'], '$present'] },
          resolved: {
            $setIsSubset: [['sig.greeting_given', 'sig.identity_verified', 'sig.resolution_stated'], '$present'],
          },
        },
      },
      {
        $group: {
          _id: null,
          calls: { $sum: 1 },
          greeted: { $sum: { $cond: ['$greeted', 1, 0] } },
          verified: { $sum: { $cond: ['$verified', 1, 0] } },
          resolved: { $sum: { $cond: ['$resolved', 1, 0] } },
        },
      },
    ],
    sql: `select null as _id, count(*) as calls, count(*) filter (list_contains(p, 'sig.greeting_given')) as greeted,
      count(*) filter (list_has_all(p, ['sig.greeting_given', 'sig.identity_verified'])) as verified,
      count(*) filter (list_has_all(p, ['sig.greeting_given', 'sig.identity_verified', 'sig.resolution_stated'])) as resolved
      from (select list_transform(list_filter(signals, lambda s: s.state = 'present'), lambda s: s.key) as p
        from calls where project_id = $1) where p is not null`,
  },
  {
    question: 'What guidance is given most?',
    pipeline: [
      { $unwind: '$guidance' },
      { $group: { _id: { key: '$guidance.key', kind: '$guidance.kind' }, calls: { $sum: 1 } } },
      { $sort: { calls: -1, '_id.key': 1, '_id.kind': 1 } },
    ],
    sql: `select {'key': g.key, 'kind': g.kind} as _id, count(*) as calls from (
      select unnest(guidance) as g from calls where project_id = $1) group by g.key, g.kind order by 2 desc, g.key, g.kind`,
  },
  {
    question: 'Urgent guidance by agent?',
    pipeline: [
      { $match: { 'guidance.priority': 'p0' } },
      { $unwind: '$guidance' },
      { $match: { 'guidance.priority': 'p0' } },
      { $group: { _id: { agent: '$agent_name', key: '$guidance.key' }, calls: { $sum: 1 } } },
      { $sort: { calls: -1, '_id.agent': 1, '_id.key': 1 } },
      { $limit: 25 },
    ],
    sql: `select {'agent': agent_name, 'key': g.key} as _id, count(*) as calls from (
      select agent_name, unnest(guidance) as g from calls where project_id = $1) where g.priority = 'p0'
      group by agent_name, g.key order by 2 desc, agent_name, g.key limit 25`,
  },
  {
    question: 'What speaks against relying on evaluations?',
    pipeline: [{ $unwind: '$trust.reasons' }, { $sortByCount: '$trust.reasons' }],
    sql: `select _id, count(*) as count from (select unnest(trust.reasons) as _id from calls where project_id = $1)
      group by 1 order by 2 desc`,
  },
]
