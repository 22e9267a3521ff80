import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Rubric, RubricTrial } from '../../client/settings.js'
import { fixed, UNKNOWN } from '../../look/format.js'
import { Rows } from '../settings/list.js'

interface TrialProps {
  readonly trial: RubricTrial
  readonly signals: Rubric['signals']
}

const moved = ({ old_score: old, new_score: now, changed_signals: changed }: RubricTrial['calls'][number]) =>
  old !== now || changed.length > 0

const by = ({ old_score: old, new_score: now }: RubricTrial['calls'][number]) => Math.abs((now ?? 0) - (old ?? 0))

/** What would become of a sample of the calls, those first whose score moves most. */
export function Trial({ trial, signals }: TrialProps) {
  const { t } = useTranslation()
  const { summary, labels } = trial
  const nameOf = (key: string) => signals.find(one => one.key === key)?.name ?? key
  const calls = trial.calls.filter(moved).toSorted((a, b) => by(b) - by(a))
  return (
    <>
      <p>
        <b>{t('rubric.trial.moves', { ...summary, count: summary.calls })}</b>{' '}
        {t('rubric.trial.average', { old: fixed(summary.average_old, 2), now: fixed(summary.average_new, 2) })}
      </p>
      {labels !== undefined && (
        <p>{t('rubric.trial.people', { count: labels.judged, before: labels.right_before, now: labels.right_now })}</p>
      )}
      {labels !== undefined && labels.worse.length > 0 && (
        <Rows
          label={t('rubric.trial.worse')}
          rows={labels.worse}
          keyOf={one => `${one.session_id} ${one.signal_key}`}
          columns={[
            { name: t('rubric.trial.worse'), cell: one => nameOf(one.signal_key) },
            { name: t('rubric.trial.call'), cell: one => <Call id={one.session_id} /> },
            { name: t('rubric.trial.shouldBe'), cell: one => t(`rubric.trial.${one.should_be}`) },
          ]}
        />
      )}
      {calls.length > 0 && (
        <Rows
          label={t('rubric.trial.title')}
          rows={calls}
          keyOf={one => one.session_id}
          columns={[
            { name: t('rubric.trial.call'), cell: one => <Call id={one.session_id} /> },
            { name: t('rubric.trial.old'), isNumber: true, cell: one => fixed(one.old_score) },
            { name: t('rubric.trial.now'), isNumber: true, cell: one => fixed(one.new_score) },
            {
              name: t('rubric.trial.changed'),
              cell: one => one.none ?? (one.changed_signals.map(key => nameOf(key)).join(', ') || UNKNOWN),
            },
          ]}
        />
      )}
    </>
  )
}

function Call({ id }: { readonly id: string }) {
  return (
    <Link to="/calls/$session_id" params={{ session_id: id }} preload={false}>
      {id}
    </Link>
  )
}
