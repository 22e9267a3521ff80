/**
 * Questions of the corpus as a practised hand asks them of tables in other databases: `calls`, whose columns are the fields of
 * the record, those with parts as JSON (see bench/beside). They hold one project. Dates come back as ISO 8601 in UTC.
 */
export interface ElsewhereQuestion {
  /** As the corpus names it. */
  readonly question: string
  readonly postgres: string
  /** Not given where it has no way to ask it. */
  readonly sqlite?: string
}

const isoPostgres = (instant: string) => `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const elsewhere: readonly ElsewhereQuestion[] = [
  {
    question: 'How many by channel?',
    postgres: `select channel as _id, count(*) as calls from calls group by 1 order by 2 desc, 1`,
    sqlite: `select channel as _id, count(*) as calls from calls group by 1 order by 2 desc, 1`,
  },
  {
    question: 'Mean score a week since October?',
    postgres: `select ${isoPostgres('week')} as _id, score, calls from (
      select date_trunc('week', created_dt, 'UTC') as week, avg(score) as score, count(*) as calls from calls
      where created_dt >= '2026-10-01 00:00+00' group by 1) as weeks order by week`,
    sqlite: `select strftime('%Y-%m-%dT00:00:00.000Z', created_dt, '-6 days', 'weekday 1') as _id, avg(score) as score, count(*) as calls
      from calls where created_dt >= '2026-10-01' group by 1 order by 1`,
  },
  {
    question: 'Mean score a month in Berlin?',
    postgres: `select ${isoPostgres('month')} as _id, score from (
      select date_trunc('month', created_dt, 'Europe/Berlin') as month, avg(score) as score from calls group by 1) as months order by month`,
  },
  {
    question: 'The ten best agents with at least five calls?',
    postgres: `select agent_name as _id, avg(score) as score, count(*) as calls from calls group by 1 having count(*) >= 5
      order by 2 desc, 1 limit 10`,
    sqlite: `select agent_name as _id, avg(score) as score, count(*) as calls from calls group by 1 having count(*) >= 5
      order by 2 desc, 1 limit 10`,
  },
  {
    question: 'The three worst calls of each agent?',
    postgres: `select agent_name as _id, json_agg(json_build_object('id', session_id, 'score', score) order by score, session_id) as worst
      from (select agent_name, session_id, score,
        row_number() over (partition by agent_name order by score, session_id collate "C") as n from calls where score is not null) as ranked
      where n <= 3 group by 1 order by 1`,
    sqlite: `select agent_name as _id, json_group_array(json_object('id', session_id, 'score', score)) as worst
      from (select agent_name, session_id, score,
        row_number() over (partition by agent_name order by score, session_id) as n from calls where score is not null order by 1, 4)
      where n <= 3 group by 1 order by 1`,
  },
  {
    question: 'Median and 90th percentile of the length?',
    postgres: `select percentile_disc(array[0.5, 0.9]) within group (order by s) as p, percentile_disc(0.5) within group (order by s) as median
      from (select (talk_patterns->>'total_duration_s')::double precision as s from calls) as lengths`,
    sqlite: `select json_array(min(s) filter (where c >= 0.5), min(s) filter (where c >= 0.9)) as p, min(s) filter (where c >= 0.5) as median
      from (select s, cume_dist() over (order by s) as c
        from (select talk_patterns->>'total_duration_s' as s from calls) where s is not null)`,
  },
  {
    question: 'How often does each signal occur?',
    postgres: `select s->>'key' as _id, count(*) as calls from calls, jsonb_array_elements(signals) as s
      where s->>'state' = 'present' group by 1 order by 2 desc, 1`,
    sqlite: `select s.value->>'key' as _id, count(*) as calls from calls, json_each(signals) as s
      where s.value->>'state' = 'present' group by 1 order by 2 desc, 1`,
  },
  {
    question: 'Calls that show a signal strongly?',
    postgres: `select session_id as _id, agent_name, title from calls where jsonb_path_exists(signals,
        '$[*] ? (@.key == "sig.customer_frustrated" && @.state == "present" && @.strength >= 0.8)')
      order by created_dt desc, session_id limit 20`,
    sqlite: `select session_id as _id, agent_name, title from calls where exists (select 1 from json_each(signals) as s
        where s.value->>'key' = 'sig.customer_frustrated' and s.value->>'state' = 'present' and s.value->>'strength' >= 0.8)
      order by created_dt desc, session_id limit 20`,
  },
  {
    question: 'Turns by speaker?',
    postgres: `select t->>'actor' as _id, count(*) as turns from calls, jsonb_array_elements(transcript) as t group by 1 order by 1`,
    sqlite: `select t.value->>'actor' as _id, count(*) as turns from calls, json_each(transcript) as t group by 1 order by 1`,
  },
  {
    question: 'How many calls mention an invoice?',
    postgres: `select count(*) as calls from calls where jsonb_path_exists(transcript, '$[*].text ? (@ like_regex "invoice")')`,
    sqlite: `select count(*) as calls from calls
      where exists (select 1 from json_each(transcript) as t where instr(t.value->>'text', 'invoice') > 0)`,
  },
  {
    question: 'Titles with a word?',
    postgres: `select session_id as _id, title from calls where title ~* 'refund' order by created_dt desc, session_id limit 20`,
    sqlite: `select session_id as _id, title from calls where title like '%refund%' order by created_dt desc, session_id limit 20`,
  },
  {
    question: 'Waiting time by queue?',
    postgres: `select session_metadata->>'queue' as _id, avg((session_metadata->>'wait_seconds')::double precision) as mean,
      max((session_metadata->>'wait_seconds')::double precision) as longest from calls group by 1 order by 2 desc nulls last`,
    sqlite: `select session_metadata->>'queue' as _id, avg(session_metadata->>'wait_seconds') as mean,
      max(session_metadata->>'wait_seconds') as longest from calls group by 1 order by 2 desc`,
  },
  {
    question: 'Customers who called again within a week?',
    postgres: `select count(*) as calls from (select created_dt,
        lag(created_dt) over (partition by customer_display_name order by created_dt) as before
        from calls where customer_display_name is not null) as again
      where created_dt - before <= interval '7 days'`,
    sqlite: `select count(*) as calls from (select julianday(created_dt) as at,
        lag(julianday(created_dt)) over (partition by customer_display_name order by created_dt) as before
        from calls where customer_display_name is not null)
      where at - before <= 7`,
  },
  {
    question: 'A page of calls?',
    postgres: `select session_id as _id, ${isoPostgres('created_dt')} as created_dt, title, json_build_object('level', trust->'level') as trust
      from calls order by calls.created_dt desc, session_id limit 50 offset 100`,
    sqlite: `select session_id as _id, created_dt, title, json_object('level', trust->>'level') as trust
      from calls order by created_dt desc, session_id limit 50 offset 100`,
  },
]
