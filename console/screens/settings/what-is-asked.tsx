import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Approval, read } from '../../client/settings.js'
import { UNKNOWN } from '../../look/format.js'
import { askedOf, type Fields } from './asked.js'
import { Rows } from './list.js'
import { useProjectPath } from './project-path.js'
import { useFieldWords } from './use-field-words.js'
import { useKeyWords } from './use-key-words.js'

/** All of what somebody asked for: what it is about, what would become of it, and every word of the request. */
export function WhatIsAsked({ approval }: { readonly approval: Approval }) {
  const { t } = useTranslation()
  const asked = askedOf(approval)
  const { path, query, body = {}, key, others } = asked
  const { project_id: _, key_id: keyId, task_id: taskId, ...about } = path
  const there = useThere(keyId, taskId)
  const named = (id: string) => (typeof there?.['name'] === 'string' ? `${there['name']} (${id})` : id)
  // A change is read beside what is there; of all else there is nothing yet.
  const isChange = asked.method === 'PATCH'
  const isNewKey = key === undefined && 'require_mapping' in body
  return (
    <>
      <Facts
        fields={{
          ...(keyId !== undefined && { key_id: named(keyId) }),
          ...(taskId !== undefined && { task_id: named(taskId) }),
          ...about,
          ...query,
          ...(!isChange && !isNewKey && body),
        }}
      />
      {isChange && <Changes before={there} after={body} />}
      {isNewKey && <Rights title={t('settings.approvals.mayThen')} rights={body} />}
      {key !== undefined && <Rights title={t('settings.approvals.mayThen')} rights={key} />}
      {others.map((rights, i) => (
        <Rights key={i} title={t('settings.approvals.otherMayThen')} rights={rights} />
      ))}
      <details>
        <summary>{t('settings.approvals.wordForWord')}</summary>
        <pre className="code wrapped">{`${approval.action}\n${JSON.stringify(JSON.parse(approval.asked), null, 2)}`}</pre>
      </details>
    </>
  )
}

/** The key or the task that a request is about, as it is now; undefined where it is about none, or none is there. */
function useThere(keyId: string | undefined, taskId: string | undefined): Fields | undefined {
  const project = useProjectPath()
  const path =
    keyId === undefined
      ? `/api/v1/tasks/${encodeURIComponent(taskId ?? '')}`
      : `${project}/mcp-keys/${encodeURIComponent(keyId)}`
  const { data } = useQuery({
    queryKey: ['settings', path, 'one'],
    queryFn: ({ signal }) => read<Fields>(path, signal),
    enabled: keyId !== undefined || taskId !== undefined,
  })
  return data
}

function Changes({ before, after }: { readonly before: Fields | undefined; readonly after: Fields }) {
  const { t } = useTranslation()
  const { nameOf, valueOf } = useFieldWords()
  const value = (fields: Fields | undefined, name: string) =>
    fields?.[name] === undefined ? UNKNOWN : valueOf(name, fields[name])
  return (
    <Rows
      label={t('settings.approvals.changes')}
      rows={Object.keys(after)}
      keyOf={name => name}
      columns={[
        { name: t('settings.approvals.field'), cell: nameOf },
        { name: t('settings.approvals.now'), cell: name => value(before, name) },
        { name: t('settings.approvals.then'), cell: name => value(after, name) },
      ]}
    />
  )
}

/** What a key would hear and may do, with all that says so. */
function Rights({ title, rights }: { readonly title: string; readonly rights: Fields }) {
  const { t } = useTranslation()
  const { heard } = useKeyWords()
  return (
    <div>
      <h2>{title}</h2>
      <Facts first={[t('settings.keys.hears'), heard(rights)]} fields={rights} />
    </div>
  )
}

interface FactsProps {
  /** One that is no field. */
  readonly first?: readonly [name: string, value: string]
  readonly fields: Fields
}

function Facts({ first, fields }: FactsProps) {
  const { nameOf, valueOf } = useFieldWords()
  const all = [
    ...(first === undefined ? [] : [first]),
    ...Object.entries(fields).map(([name, value]) => [nameOf(name), valueOf(name, value)] as const),
  ]
  if (all.length === 0) return null
  return (
    <dl className="facts">
      {all.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
