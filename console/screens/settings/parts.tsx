import { useTranslation } from 'react-i18next'
import type {
  Alert,
  Delivery,
  Document,
  Health as HealthAnswer,
  Task,
  TaskRun,
  Webhook,
} from '../../client/settings.js'
import { UNKNOWN, whole } from '../../look/format.js'
import { alertForm, taskForm, webhookForm } from './forms.js'
import { List, WATCHED_MS } from './list.js'
import { NewForm } from './new-form.js'
import { useMoment } from './use-moment.js'

/** How the process stands. */
export function Health() {
  const { t } = useTranslation()
  return (
    <List<HealthAnswer, HealthAnswer>
      label={t('settings.health.title')}
      empty={t('settings.health.empty')}
      path="/health"
      everyMs={WATCHED_MS}
      rows={answer => [answer]}
      keyOf={answer => answer.server}
      columns={[
        { name: t('settings.health.status'), cell: answer => answer.status },
        { name: t('settings.health.version'), cell: answer => answer.server },
        { name: t('settings.health.tools'), isNumber: true, cell: answer => whole(answer.tools) },
        { name: t('settings.health.cached'), isNumber: true, cell: answer => whole(answer.auth_cache_size) },
      ]}
    />
  )
}

/** Work that is done at set times, with what came of it. */
export function Tasks() {
  const { t } = useTranslation()
  const at = useMoment()
  return (
    <>
      <NewForm form={taskForm} />
      <List<{ readonly tasks: readonly Task[] }, Task>
        label={t('settings.tasks.title')}
        empty={t('settings.tasks.empty')}
        path="/api/v1/tasks"
        everyMs={WATCHED_MS}
        rows={({ tasks }) => tasks}
        keyOf={({ task_id: id }) => id}
        columns={[
          { name: t('settings.name'), cell: row => row.name ?? row.kind },
          { name: t('settings.tasks.kind'), cell: row => row.kind },
          { name: t('settings.tasks.schedule'), cell: ({ schedule }) => `${schedule.cron} (${schedule.time_zone})` },
          {
            name: t('settings.tasks.last'),
            cell: row => (row.last_run === undefined ? UNKNOWN : `${at(row.last_run)}: ${row.last_state ?? ''}`),
          },
          { name: t('settings.tasks.next'), cell: row => (row.enabled ? at(row.next_run) : t('settings.off')) },
        ]}
        actions={({ task_id: id, enabled }) => [
          { label: t('settings.tasks.run'), method: 'POST', path: `/api/v1/tasks/${id}/run` },
          onOff(t(enabled ? 'settings.turnOff' : 'settings.turnOn'), `/api/v1/tasks/${id}`, { enabled: !enabled }),
        ]}
        more={({ task_id: id }) => (
          <List<{ readonly runs: readonly TaskRun[] }, TaskRun>
            label={t('settings.tasks.runs')}
            empty={t('settings.tasks.noRuns')}
            path={`/api/v1/tasks/${id}/runs?limit=10`}
            everyMs={WATCHED_MS}
            rows={({ runs }) => runs}
            keyOf={run => run.run_id}
            columns={[
              { name: t('settings.tasks.began'), cell: run => at(run.started_at) },
              { name: t('settings.tasks.state'), cell: run => run.state },
              { name: t('settings.tasks.summary'), cell: run => run.summary ?? run.error ?? UNKNOWN },
            ]}
          />
        )}
      />
    </>
  )
}

/** Where events are sent, with what became of them. */
export function Webhooks() {
  const { t } = useTranslation()
  const at = useMoment()
  return (
    <>
      <NewForm form={webhookForm} />
      <List<{ readonly webhooks: readonly Webhook[] }, Webhook>
        label={t('settings.webhooks.title')}
        empty={t('settings.webhooks.empty')}
        path="/api/v1/webhooks"
        rows={({ webhooks }) => webhooks}
        keyOf={({ webhook_id: id }) => id}
        columns={[
          { name: t('settings.webhooks.address'), cell: row => row.url },
          { name: t('settings.webhooks.events'), cell: row => row.events.join(', ') },
          { name: t('settings.state'), cell: row => t(row.active ? 'settings.on' : 'settings.off') },
          { name: t('settings.since'), cell: row => at(row.created_at) },
        ]}
        actions={({ webhook_id: id, active }) => [
          { label: t('settings.webhooks.resend'), method: 'POST', path: `/api/v1/webhooks/${id}/resend` },
          onOff(t(active ? 'settings.turnOff' : 'settings.turnOn'), `/api/v1/webhooks/${id}`, { active: !active }),
        ]}
        more={({ webhook_id: id }) => (
          <List<{ readonly deliveries: readonly Delivery[] }, Delivery>
            label={t('settings.webhooks.deliveries')}
            empty={t('settings.webhooks.noDeliveries')}
            path={`/api/v1/webhooks/${id}/deliveries?limit=10`}
            rows={({ deliveries }) => deliveries}
            keyOf={delivery => delivery.delivery_id}
            columns={[
              { name: t('settings.webhooks.event'), cell: delivery => delivery.event },
              { name: t('settings.state'), cell: delivery => delivery.state },
              { name: t('settings.webhooks.attempts'), isNumber: true, cell: delivery => whole(delivery.attempts) },
              { name: t('settings.webhooks.attempted'), cell: delivery => at(delivery.attempted_at) },
              { name: t('settings.webhooks.answer'), cell: delivery => delivery.status ?? delivery.failure ?? UNKNOWN },
            ]}
            actions={({ delivery_id: delivery }) => [
              {
                label: t('settings.webhooks.again'),
                method: 'POST',
                path: `/api/v1/webhooks/${id}/deliveries/${delivery}/resend`,
              },
            ]}
          />
        )}
      />
    </>
  )
}

/** What somebody wants to be told of. */
export function Alerts() {
  const { t } = useTranslation()
  const at = useMoment()
  return (
    <>
      <NewForm form={alertForm} />
      <List<{ readonly alerts: readonly Alert[] }, Alert>
        label={t('settings.alerts.title')}
        empty={t('settings.alerts.empty')}
        path="/api/v1/alerts"
        rows={({ alerts }) => alerts}
        keyOf={({ alert_id: id }) => id}
        columns={[
          { name: t('settings.name'), cell: row => row.name },
          { name: t('settings.alerts.condition'), cell: ({ condition }) => conditionWords(condition) },
          {
            name: t('settings.alerts.agents'),
            cell: ({ agents }) => (agents.length === 0 ? t('settings.alerts.allAgents') : agents.join(', ')),
          },
          { name: t('settings.state'), cell: row => t(row.active ? 'settings.on' : 'settings.off') },
          { name: t('settings.since'), cell: row => at(row.created_at) },
        ]}
        actions={({ alert_id: id, active }) => [
          onOff(t(active ? 'settings.turnOff' : 'settings.turnOn'), `/api/v1/alerts/${id}`, { active: !active }),
        ]}
      />
    </>
  )
}

/** What clients look things up in. */
export function Documents() {
  const { t } = useTranslation()
  const at = useMoment()
  return (
    <List<{ readonly documents: readonly Document[] }, Document>
      label={t('settings.documents.title')}
      empty={t('settings.documents.empty')}
      path="/api/v1/knowledge-base"
      rows={({ documents }) => documents}
      keyOf={({ kb_id: id }) => id}
      columns={[
        { name: t('settings.documents.heading'), cell: row => row.title },
        { name: t('settings.documents.file'), cell: row => row.name },
        { name: t('settings.documents.sections'), isNumber: true, cell: row => whole(row.sections) },
        { name: t('settings.since'), cell: row => at(row.imported_at) },
      ]}
    />
  )
}

const onOff = (label: string, path: string, body: object) => ({ label, method: 'PATCH', path, body }) as const

/** A condition by its fields, as the API names them: `score_below, threshold 2`. */
function conditionWords({ kind, ...more }: { readonly kind: string }): string {
  return [kind, ...Object.entries(more).map(([name, value]) => `${name} ${String(value)}`)].join(', ')
}
