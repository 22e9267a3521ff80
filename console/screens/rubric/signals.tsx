import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { asking } from '../../app/queries.js'
import type { Answer } from '../../client/questions.js'
import type { Rubric } from '../../client/settings.js'
import { Rows } from '../settings/list.js'
import type { Change, FieldName, Kind } from './draft.js'
import { listsIn, Phrases } from './phrases.js'

type Verdicts = Answer<'get_verdicts'>
type Signal = Rubric['signals'][number]
/** The most that get_verdicts gives at once. */
const DISPUTES = 500

interface SignalsProps {
  readonly rubric: Rubric
  readonly changes: readonly Change[]
  readonly set: (change: Change, isBack: boolean) => void
}

/** What calls are read for, by dimension, and what may hold a score down: weights, switches, phrases. */
export function Signals({ rubric, changes, set }: SignalsProps) {
  const { t } = useTranslation()
  const { data: verdicts } = useQuery(asking('get_verdicts', { limit: DISPUTES }))
  const { dimensions, signals, caps } = rubric
  const scored = new Set(dimensions.map(({ key }) => key))
  const groups = [...dimensions, ...(signals.every(one => scored.has(one.category)) ? [] : [undefined])]
  const lists = new Map(
    signals.map(({ applies, present, unclear, absent, worth, key }) => [
      key,
      listsIn([applies, present, unclear, absent, worth], rubric.lists),
    ]),
  )
  const field = (
    kind: Kind,
    name: FieldName,
    label: string,
    entry: { readonly key: string; readonly name: string },
    was: number | boolean,
  ) => (
    <FieldInput
      label={`${label}: ${entry.name}`}
      was={was}
      set={value => set({ kind, key: entry.key, field: name, value }, value === was)}
    />
  )
  const active = {
    name: t('rubric.on'),
    cell: (one: Signal) => field('signals', 'active', t('rubric.on'), one, one.active),
  }
  const named = {
    name: t('rubric.signal'),
    cell: (one: Signal) => (
      <>
        <b>{one.name}</b>
        {one.negative && <span className="small muted"> · {t('rubric.against')}</span>}
        <br />
        <span className="small muted">{one.description}</span>
      </>
    ),
  }
  const weight = {
    name: t('rubric.weight'),
    cell: (one: Signal) => field('signals', 'weight', t('rubric.weight'), one, one.weight),
  }
  const people = { name: t('rubric.people'), cell: (one: Signal) => <People verdicts={verdicts} signal={one.key} /> }
  return (
    <>
      {groups.map(group => (
        <section
          key={group?.key ?? ''}
          className={`panel rubric${group === undefined ? '' : ' weighed'}`}
          aria-labelledby={`rubric-${group?.key ?? ''}`}
        >
          <div className="rubric-head">
            <h2 id={`rubric-${group?.key ?? ''}`}>{group?.name ?? t('rubric.context')}</h2>
            {group !== undefined && (
              <span>
                <span className="small muted">{t('rubric.weight')} </span>
                {field('dimensions', 'weight', t('rubric.weight'), group, group.weight)}
              </span>
            )}
          </div>
          <Rows
            label={group?.name ?? t('rubric.context')}
            rows={signals.filter(one => (group === undefined ? !scored.has(one.category) : one.category === group.key))}
            keyOf={one => one.key}
            columns={group === undefined ? [active, named, people] : [active, named, weight, people]}
            more={one => (
              <>
                <Disputes verdicts={verdicts} signal={one.key} />
                {lists.get(one.key)?.length === 0 && <p className="muted">{t('rubric.noLists')}</p>}
                {lists.get(one.key)?.map(name => (
                  <Phrases
                    key={name}
                    name={name}
                    phrases={rubric.lists[name] ?? []}
                    others={signals
                      .filter(({ key }) => key !== one.key && lists.get(key)?.includes(name) === true)
                      .map(other => other.name)}
                    changes={changes}
                    set={set}
                  />
                ))}
              </>
            )}
          />
        </section>
      ))}
      {caps.length > 0 && (
        <section className="panel rubric capped" aria-labelledby="rubric-caps">
          <h2 id="rubric-caps">{t('rubric.caps')}</h2>
          <Rows
            label={t('rubric.caps')}
            rows={caps.map(cap => ({ ...cap, name: cap.reason }))}
            keyOf={one => one.key}
            columns={[
              { name: t('rubric.on'), cell: one => field('caps', 'active', t('rubric.on'), one, one.active) },
              { name: t('rubric.cap'), cell: one => one.name },
              { name: t('rubric.most'), cell: one => field('caps', 'most', t('rubric.most'), one, one.most) },
            ]}
          />
        </section>
      )}
    </>
  )
}

interface FieldInputProps {
  readonly label: string
  readonly was: number | boolean
  readonly set: (value: number | boolean) => void
}

/** A number or a switch. What is empty is as it was. */
function FieldInput({ label, was, set }: FieldInputProps) {
  if (typeof was === 'boolean') {
    return (
      <input type="checkbox" aria-label={label} defaultChecked={was} onChange={event => set(event.target.checked)} />
    )
  }
  return (
    <input
      type="number"
      step="any"
      className="input weight"
      aria-label={label}
      defaultValue={was}
      onChange={event => set(Number.isFinite(event.target.valueAsNumber) ? event.target.valueAsNumber : was)}
    />
  )
}

interface OfSignal {
  readonly verdicts: Verdicts | undefined
  readonly signal: string
}

const disputesOf = ({ verdicts, signal }: OfSignal) => verdicts?.disputes.filter(one => one.signal_key === signal) ?? []

/** How often it is right by people's word, and how many say no and wait. */
function People({ verdicts, signal }: OfSignal) {
  const { t } = useTranslation()
  const counts = verdicts?.signals.find(one => one.signal_key === signal)
  const waiting = disputesOf({ verdicts, signal }).length
  return (
    <>
      {counts !== undefined &&
        t('rubric.counts', { right: counts.found_right, wrong: counts.found_wrong, missed: counts.missed })}{' '}
      {waiting > 0 && <span className="tag worse">{t('rubric.disputes', { count: waiting })}</span>}
    </>
  )
}

/** What was said against it, each with the call it was said of. */
function Disputes({ verdicts, signal }: OfSignal) {
  const { t } = useTranslation()
  const disputes = disputesOf({ verdicts, signal })
  if (disputes.length === 0) return null
  return (
    <ul className="evidence">
      {disputes.map(one => (
        <li key={one.feedback_id}>
          <Link to="/calls/$session_id" params={{ session_id: one.session_id }} preload={false}>
            {t('rubric.disputed', { agent: one.agent_name, by: one.created_by })}
          </Link>{' '}
          <span className="own-words">{one.text}</span>
        </li>
      ))}
    </ul>
  )
}
