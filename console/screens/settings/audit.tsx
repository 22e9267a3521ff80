import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useContextAnswer } from '../../app/queries.js'
import type { ActiveUser, AuditEvent, UserDetail } from '../../client/settings.js'
import { second, whole } from '../../look/format.js'
import { List } from './list.js'

/** Who asked what, in the days that are chosen; before that who asked at all. */
export function Audit() {
  const { t } = useTranslation()
  const { project } = useContextAnswer()
  const [days, setDays] = useState<{ readonly start_date?: string; readonly end_date?: string }>({})
  const path = (type: string, cursor?: string, user?: string) => {
    const set = Object.entries({ query_type: type, user_email: user, ...days, cursor }).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    )
    return `/api/v1/activity?${new URLSearchParams(set).toString()}`
  }
  const day = (name: keyof typeof days, label: string) => (
    <label className="field">
      <span>{label}</span>
      <input
        className="input"
        type="date"
        max={project.today}
        onChange={event => setDays({ ...days, [name]: event.target.value })}
      />
    </label>
  )
  return (
    <>
      <div className="import-fields audit-days">
        {day('start_date', t('dates.from'))}
        {day('end_date', t('dates.to'))}
      </div>
      <List<{ readonly users?: readonly ActiveUser[]; readonly next_cursor?: string }, ActiveUser>
        label={t('settings.audit.users')}
        empty={t('settings.audit.empty')}
        path={path('active_users')}
        next={({ next_cursor: cursor }) => cursor && path('active_users', cursor)}
        rows={({ users = [] }) => users}
        keyOf={({ user }) => `${user.kind} ${user.key_id}`}
        columns={[
          { name: t('settings.audit.who'), cell: ({ user }) => user.name },
          { name: t('settings.audit.requests'), isNumber: true, cell: ({ requests }) => whole(requests) },
          { name: t('settings.audit.last'), cell: ({ last_seen: seen }) => second(seen, project.timezone) },
        ]}
        more={({ user }) => (
          <>
            <AskedByOne user={user} path={cursor => path('user_detail', cursor, user.key_id)} />
            <Events user={user} path={cursor => path('recent_activity', cursor, user.key_id)} />
          </>
        )}
      />
      <Events path={cursor => path('recent_activity', cursor)} />
    </>
  )
}

interface AskedByOneProps {
  readonly user: ActiveUser['user']
  readonly path: (cursor?: string) => string
}

/** What one of them asked for, most often first. */
function AskedByOne({ user, path }: AskedByOneProps) {
  const { t } = useTranslation()
  return (
    <List<UserDetail, NonNullable<UserDetail['pages']>[number]>
      label={t('settings.audit.byOne', { name: user.name })}
      empty={t('settings.audit.empty')}
      path={path()}
      next={({ next_cursor: cursor }) => cursor && path(cursor)}
      // Somebody else may have the id of this one for a name.
      rows={answer => (answer.user?.key_id === user.key_id ? (answer.pages ?? []) : [])}
      keyOf={({ page }) => page}
      columns={[
        { name: t('settings.audit.asked'), cell: ({ page }) => page },
        { name: t('settings.audit.requests'), isNumber: true, cell: ({ views }) => whole(views) },
      ]}
    />
  )
}

interface EventsProps {
  /** Whose they are, where not everybody's. */
  readonly user?: ActiveUser['user']
  readonly path: (cursor?: string) => string
}

/** Single requests, newest first. */
function Events({ user, path }: EventsProps) {
  const { t } = useTranslation()
  const { project } = useContextAnswer()
  return (
    <List<{ readonly events?: readonly AuditEvent[] } & UserDetail, AuditEvent>
      label={user === undefined ? t('settings.audit.title') : t('settings.audit.requestsOf', { name: user.name })}
      empty={t('settings.audit.empty')}
      path={path()}
      next={({ next_cursor: cursor }) => cursor && path(cursor)}
      rows={answer => (answer.user?.key_id === user?.key_id ? (answer.events ?? []) : [])}
      keyOf={event => `${event.at} ${event.user.key_id} ${event.page} ${event.duration_ms}`}
      columns={[
        { name: t('settings.audit.when'), cell: event => second(event.at, project.timezone) },
        ...(user === undefined
          ? [{ name: t('settings.audit.who'), cell: (event: AuditEvent) => event.user.name }]
          : []),
        { name: t('settings.audit.asked'), cell: event => event.page },
        { name: t('settings.audit.outcome'), cell: event => event.outcome },
        { name: t('settings.audit.took'), isNumber: true, cell: event => whole(Math.round(event.duration_ms)) },
      ]}
    />
  )
}
