import type { z } from 'zod'
import type { keyPatch, newKey } from '../../../src/access/key-fields.js'
import type { newTeam, teamPatch } from '../../../src/access/teams.js'
import type { newAlert } from '../../../src/events/alerts/alert-fields.js'
import type { newWebhook } from '../../../src/events/webhook-fields.js'
import type { newTask } from '../../../src/tasks/task-fields.js'
import type en from '../../texts/en.json'
import { EVENTS, TASK_KINDS } from './choices.js'

type Texts = (typeof en.settings)['form']

export interface Field<Name = keyof Texts['names']> {
  readonly name: Name
  readonly kind: 'text' | 'lines' | 'number' | 'flag' | 'moment' | 'json' | 'one' | 'many'
  readonly options?: readonly string[]
  readonly initial?: string | boolean | readonly string[]
  readonly required?: true
  /** Emptied it is an empty list; any other field is taken away then. */
  readonly clears?: true
  readonly hint?: keyof Texts['hints']
  /** What it is to leave it empty. */
  readonly empty?: keyof Texts['empty']
  /** Its lines are names of agents. */
  readonly ofAgents?: true
}

interface FormOf<Name> {
  readonly title: 'keys' | 'teams' | 'tasks' | 'webhooks' | 'alerts'
  readonly path: string
  readonly fields: readonly Field<Name>[]
  /** The field of the answer that is shown once. */
  readonly secret?: keyof Texts['once']
}

export type Form = FormOf<keyof Texts['names']>

/** Of fields that the operation takes, and that have a text. */
const form = <Body>(given: FormOf<Extract<keyof Body, keyof Texts['names']>>): Form => given

/** Nobody hears the project, or has a role, by leaving something out. */
export const keyFields: readonly Field<
  Extract<keyof z.input<typeof newKey> & keyof z.input<typeof keyPatch>, keyof Texts['names']>
>[] = [
  { name: 'name', kind: 'text', required: true },
  { name: 'allowed_agents', kind: 'lines', hint: 'lines', ofAgents: true, clears: true },
  { name: 'teams', kind: 'lines', hint: 'ids', clears: true },
  { name: 'require_mapping', kind: 'flag', initial: true },
  { name: 'read_only', kind: 'flag' },
  { name: 'is_supervisor', kind: 'flag' },
  { name: 'roles', kind: 'many', options: ['Admin', 'SuperAdmin', 'Supervisor', 'Auditor'] },
  { name: 'text', kind: 'one', options: ['full', 'masked', 'none'], initial: 'full' },
  { name: 'expires_at', kind: 'moment', hint: 'zone', empty: 'zone' },
  { name: 'allowed_networks', kind: 'lines', hint: 'networks', empty: 'networks' },
  { name: 'tools', kind: 'lines', hint: 'tools', empty: 'tools' },
  { name: 'min_group', kind: 'number', empty: 'bound' },
  { name: 'requests_per_minute', kind: 'number', empty: 'bound' },
  { name: 'questions_per_day', kind: 'number', empty: 'bound' },
  { name: 'bytes_per_day', kind: 'number', empty: 'bound' },
  { name: 'processor_seconds_per_day', kind: 'number', empty: 'bound' },
]

export const keyForm = (path: string): Form =>
  form<z.input<typeof newKey>>({ title: 'keys', path, secret: 'key', fields: keyFields })

export const teamFields: readonly Field<Extract<keyof z.input<typeof teamPatch>, keyof Texts['names']>>[] = [
  { name: 'name', kind: 'text', required: true },
  { name: 'agents', kind: 'lines', hint: 'lines', ofAgents: true, clears: true },
]

export const teamForm = (path: string): Form =>
  form<z.input<typeof newTeam>>({
    title: 'teams',
    path,
    fields: [{ name: 'team_id', kind: 'text', required: true, hint: 'id' }, ...teamFields],
  })

export const taskForm = form<z.input<typeof newTask>>({
  title: 'tasks',
  path: '/api/v1/tasks',
  fields: [
    { name: 'kind', kind: 'one', options: TASK_KINDS, initial: 'change_report' },
    { name: 'name', kind: 'text' },
    { name: 'schedule', kind: 'text', required: true, hint: 'schedule' },
    { name: 'parameters', kind: 'json', initial: '{}', hint: 'parameters' },
  ],
})

export const webhookForm = form<z.input<typeof newWebhook>>({
  title: 'webhooks',
  path: '/api/v1/webhooks',
  secret: 'secret',
  fields: [
    { name: 'url', kind: 'text', required: true, hint: 'url' },
    { name: 'events', kind: 'many', options: EVENTS },
  ],
})

export const alertForm = form<z.input<typeof newAlert>>({
  title: 'alerts',
  path: '/api/v1/alerts',
  fields: [
    { name: 'name', kind: 'text', required: true },
    { name: 'condition', kind: 'json', required: true, hint: 'condition' },
    { name: 'agents', kind: 'lines', hint: 'lines', empty: 'agents', ofAgents: true },
    { name: 'cooldown_seconds', kind: 'number' },
  ],
})
