import type { AnalystQuestion } from './analyst-question.js'

export const texts: readonly AnalystQuestion[] = [
  {
    question: 'Titles with a word?',
    pipeline: [
      { $match: { title: { $regex: 'refund', $options: 'i' } } },
      { $sort: { created_dt: -1, _id: 1 } },
      { $limit: 20 },
      { $project: { title: 1 } },
    ],
    sql: `select session_id as _id, title from calls where project_id = $1 and regexp_matches(title, '(?i)refund')
      order by created_dt desc, session_id limit 20`,
  },
  {
    question: 'How many calls mention an invoice?',
    pipeline: [{ $match: { 'transcript.text': { $regex: 'invoice' } } }, { $count: 'calls' }],
    sql: `select count(*) as calls from calls where project_id = $1
      and len(list_filter(transcript, lambda t: t.text like '%invoice%')) > 0`,
  },
  {
    question: 'First word of titles?',
    pipeline: [
      { $match: { title: { $ne: null } } },
      { $group: { _id: { $toLower: { $arrayElemAt: [{ $split: ['$title', ' '] }, 0] } }, n: { $sum: 1 } } },
      { $sort: { n: -1, _id: 1 } },
      { $limit: 20 },
    ],
    sql: `select lower(string_split(title, ' ')[1]) as _id, count(*) as n from calls where project_id = $1 and title is not null
      group by 1 order by 2 desc, 1 limit 20`,
  },
  {
    question: 'How long are the summaries?',
    pipeline: [
      { $match: { coaching_summary: { $exists: true } } },
      { $group: { _id: null, mean: { $avg: { $strLenCP: '$coaching_summary' } } } },
    ],
    sql: `select null as _id, avg(length(coaching_summary)) as mean from calls
      where project_id = $1 and coaching_summary is not null`,
  },
  {
    question: 'What did customers say first?',
    pipeline: [
      { $match: { score: { $lt: 2 } } },
      { $sort: { score: 1, _id: 1 } },
      { $limit: 20 },
      {
        $project: {
          said: {
            $first: { $filter: { input: '$transcript', as: 't', cond: { $eq: ['$$t.actor', 'customer'] } } },
          },
        },
      },
      { $project: { said: '$said.text' } },
    ],
    sql: `select session_id as _id, list_filter(transcript, lambda t: t.actor = 'customer')[1].text as said from (
      select session_id, score, transcript from calls where project_id = $1 and score < 2 order by score, session_id limit 20)
      order by score, session_id`,
  },
  {
    question: 'Calls of customers by initial?',
    pipeline: [
      { $match: { customer_display_name: { $exists: true } } },
      { $group: { _id: { $toUpper: { $substrCP: ['$customer_display_name', 0, 1] } }, calls: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select upper(substr(customer_display_name, 1, 1)) as _id, count(*) as calls from calls
      where project_id = $1 and customer_display_name is not null group by 1 order by 1`,
  },
  {
    question: 'Evidence by turn: where do problems show?',
    pipeline: [
      { $unwind: '$signals' },
      { $match: { 'signals.key': { $in: ['sig.customer_frustrated', 'sig.agent_interrupts'] } } },
      { $unwind: '$signals.evidence' },
      { $group: { _id: '$signals.evidence.turn', n: { $sum: 1 } } },
      { $sort: { _id: 1 } },
    ],
    sql: `select e.turn as _id, count(*) as n from (select unnest(s.evidence) as e from (
      select unnest(signals) as s from calls where project_id = $1)
      where s.key in ('sig.customer_frustrated', 'sig.agent_interrupts')) group by 1 order by 1`,
  },
]
