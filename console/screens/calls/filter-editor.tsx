import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asking, useContextAnswer } from '../../app/queries.js'
import { addDays, clock, whole } from '../../look/format.js'
import { Bones, ErrorNote } from '../../look/notes.js'
import { type FilterName, type Filters, type PillName, PILLS, without } from './filters.js'

interface EditorProps {
  readonly pill: PillName
  readonly filters: Filters
  readonly set: (filters: Filters) => void
}

interface Choice {
  readonly value: string
  readonly label: string
  readonly calls?: number
}

const BANDS = ['strong_positive', 'positive', 'neutral', 'negative', 'strong_negative'] as const
const TRUST = ['low', 'medium'] as const
const CAPPED = ['true', 'false'] as const
const DIRECTIONS = ['inbound', 'outbound'] as const
const MINUTE_S = 60

/** What a filter is set with: a list to choose from, a range, or two dates. */
export function FilterEditor(props: EditorProps) {
  switch (props.pill) {
    case 'score':
      return <RangeEditor {...props} low="min_score" high="below_score" scale={1} step="0.1" range={[1, 5]} />
    case 'length':
      return (
        <RangeEditor {...props} low="min_duration_s" high="max_duration_s" scale={MINUTE_S} step="0.5" range={[0]} />
      )
    case 'dates':
      return <DatesEditor {...props} />
    case 'agent_name':
    case 'team':
    case 'driver':
    case 'direction':
    case 'lift_band':
    case 'capped':
      return <KnownChoices {...props} name={props.pill} />
    case 'trust':
      return <KnownChoices {...props} name="max_trust" />
    default:
      return <HeardChoices {...props} name={props.pill} />
  }
}

type KnownName = 'agent_name' | 'team' | 'driver' | 'direction' | 'lift_band' | 'max_trust' | 'capped'

/** What the project's own page lists. */
function KnownChoices({ name, ...props }: EditorProps & { readonly name: KnownName }) {
  const { t } = useTranslation()
  const { agents, teams = [], drivers, directions } = useContextAnswer()
  const of = {
    agent_name: () =>
      [...new Map(agents.map(one => [one.agent_name, one])).values()].map(one => ({
        value: one.agent_name,
        label: one.agent_name,
        calls: one.calls,
      })),
    team: () => teams.map(one => ({ value: one.team_id, label: one.name })),
    driver: () =>
      drivers.map(row => ({ value: String(row['driver']), label: String(row['driver']), calls: Number(row['calls']) })),
    direction: () =>
      DIRECTIONS.map(value => ({
        value,
        label: t(`calls.directions.${value}`),
        calls: Number(directions.find(row => row['direction'] === value)?.['calls'] ?? 0),
      })),
    lift_band: () => BANDS.map(value => ({ value, label: t(`lift.${value}`) })),
    max_trust: () => TRUST.map(value => ({ value, label: t(`trust.atMost.${value}`) })),
    capped: () => CAPPED.map(value => ({ value, label: t(`calls.capped.${value}`) })),
  }
  return <Choices {...props} name={name} choices={of[name]()} />
}

/** What calls of the period show, which is counted when it is asked for. */
function HeardChoices({
  name,
  ...props
}: EditorProps & { readonly name: 'signal_key' | 'guide_key' | 'dimension' | 'rated_on' }) {
  const { date_from, date_to } = props.filters
  const summary = useQuery(asking('get_project_summary', { date_from, date_to, top: 200, examples: 0 }))
  if (summary.isPending) return <Bones rows={6} height={30} />
  if (summary.isError) return <ErrorNote error={summary.error} />
  const { signals, guidance, dimensions } = summary.data
  const listed = (rows: typeof signals) =>
    rows.map(one => ({ value: one.key, label: one.display_name ?? one.key, calls: one.calls }))
  const of = {
    signal_key: () => listed(signals),
    guide_key: () => listed(guidance),
    dimension: () => listed(dimensions),
    rated_on: () => ['score', 'predicted_csat'].map(value => ({ value, label: value.replace('_', ' ') })),
  }
  return <Choices {...props} name={name} choices={of[name]()} />
}

/** Above so many a list can be searched. */
const MANY = 9

function Choices({
  name,
  pill,
  filters,
  set,
  choices,
}: EditorProps & { readonly name: FilterName; readonly choices: readonly Choice[] }) {
  const { t } = useTranslation()
  const [wanted, setWanted] = useState('')
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // Counted after the popup was opened, it finds the focus on the popup, which had nothing in it yet.
    const popup = list.current?.closest('[role=dialog]')
    if (popup === document.activeElement) popup?.querySelector<HTMLElement>('input, button')?.focus()
  }, [])
  const found = choices.filter(({ label }) => label.toLowerCase().includes(wanted.toLowerCase().trim()))
  return (
    <>
      {choices.length > MANY && (
        <input
          className="input"
          type="text"
          aria-label={t('calls.find')}
          placeholder={t('calls.find')}
          value={wanted}
          onChange={event => setWanted(event.target.value)}
        />
      )}
      <ul className="choices" ref={list}>
        {found.map(({ value, label, calls }) => (
          <li key={value}>
            <button
              type="button"
              className="choice"
              aria-pressed={filters[name] === value}
              onClick={() => set({ ...without(filters, pill), [name]: value })}
            >
              {label}
              {calls !== undefined && <span className="count">{whole(calls)}</span>}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

interface RangeProps extends EditorProps {
  readonly low: FilterName
  readonly high: FilterName
  /** What a unit of the field is in the argument's unit. */
  readonly scale: number
  readonly step: string
  /** Least and most that the argument takes, in the field's unit. */
  readonly range: readonly [number, number?]
}

function RangeEditor({ pill, filters, set, low, high, scale, step, range: [least, most] }: RangeProps) {
  const { t } = useTranslation()
  const shown = (name: FilterName) => (filters[name] === undefined ? '' : String(Number(filters[name]) / scale))
  const [from, setFrom] = useState(shown(low))
  const [to, setTo] = useState(shown(high))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const given = (text: string) => (text.trim() === '' ? undefined : String(Number(text) * scale))
    set({ ...without(filters, pill), [low]: given(from), [high]: given(to) })
  }
  const unit = pill === 'length' ? ` (${t('calls.minutes')})` : ''
  return (
    <form className="stack" onSubmit={submit}>
      <label className="field">
        <span>
          {t('calls.least')}
          {unit}
        </span>
        <input
          className="input"
          type="number"
          min={least}
          max={most}
          step={step}
          value={from}
          onChange={event => setFrom(event.target.value)}
        />
      </label>
      <label className="field">
        <span>
          {pill === 'score' ? t('calls.below') : t('calls.most')}
          {unit}
        </span>
        <input
          className="input"
          type="number"
          min={least}
          max={most}
          step={step}
          value={to}
          onChange={event => setTo(event.target.value)}
        />
      </label>
      <button type="submit" className="button primary">
        {t('calls.apply')}
      </button>
    </form>
  )
}

function DatesEditor({ pill, filters, set }: EditorProps) {
  const { t } = useTranslation()
  const { project } = useContextAnswer()
  const [from, setFrom] = useState(filters.date_from ?? '')
  const [to, setTo] = useState(filters.date_to ?? '')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    set({ ...without(filters, pill), date_from: from === '' ? undefined : from, date_to: to === '' ? undefined : to })
  }
  const last = (days: number) =>
    set({ ...without(filters, pill), date_from: addDays(project.today, 1 - days), date_to: project.today })
  return (
    <form className="stack" onSubmit={submit}>
      <ul className="choices">
        {([7, 30, 90] as const).map(days => (
          <li key={days}>
            <button type="button" className="choice" onClick={() => last(days)}>
              {t(`dates.last${days}`)}
            </button>
          </li>
        ))}
      </ul>
      <label className="field">
        <span>{t('dates.from')}</span>
        <input className="input" type="date" value={from} onChange={event => setFrom(event.target.value)} />
      </label>
      <label className="field">
        <span>{t('dates.to')}</span>
        <input className="input" type="date" value={to} onChange={event => setTo(event.target.value)} />
      </label>
      <button type="submit" className="button primary">
        {t('calls.apply')}
      </button>
    </form>
  )
}

/** What a pill says beside its name. */
export function usePillText(pill: PillName, filters: Filters): string {
  const { t } = useTranslation()
  const { teams = [] } = useContextAnswer()
  const names: readonly FilterName[] = PILLS[pill]
  const [value = ''] = names.flatMap(name => filters[name] ?? [])
  if (pill === 'team') return teams.find(one => one.team_id === value)?.name ?? value
  if (pill === 'lift_band') return isOneOf(BANDS, value) ? t(`lift.${value}`) : value
  if (pill === 'trust') {
    const { min_trust: low, max_trust: high } = filters
    return [low && `≥ ${low}`, high && isOneOf(TRUST, high) ? t(`trust.atMost.${high}`) : high]
      .filter(Boolean)
      .join(', ')
  }
  if (pill === 'capped') return isOneOf(CAPPED, value) ? t(`calls.capped.${value}`) : value
  if (pill === 'direction') return isOneOf(DIRECTIONS, value) ? t(`calls.directions.${value}`) : value
  if (pill === 'score') {
    const { min_score: low, max_score: high, below_score: below } = filters
    return [low && `≥ ${low}`, high && `≤ ${high}`, below && `< ${below}`].filter(Boolean).join(', ')
  }
  if (pill === 'length') {
    const { min_duration_s: low, max_duration_s: high } = filters
    return [low && `≥ ${clock(Number(low))}`, high && `≤ ${clock(Number(high))}`].filter(Boolean).join(', ')
  }
  if (pill === 'dates') {
    const { date_from: from, date_to: to } = filters
    if (from === undefined) return to === undefined ? '' : t('calls.until', { to })
    return to === undefined ? t('calls.since', { from }) : `${from} – ${to}`
  }
  return value.replace(/^(sig|guide)\./, '').replaceAll('_', ' ')
}

function isOneOf<const T extends string>(list: readonly T[], value: string): value is T {
  return list.some(one => one === value)
}
