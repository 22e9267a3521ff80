import { beforeAll, expect, it } from 'vitest'
import { newKey } from '../../src/access/key-fields.js'
import { Keys } from '../../src/access/keys.js'
import { Projects } from '../../src/access/projects.js'
import { Teams } from '../../src/access/teams.js'
import { SecretBox } from '../../src/base/secret-box.js'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { Rubrics } from '../../src/evaluation/rubrics.js'
import { newAlert } from '../../src/events/alerts/alert-fields.js'
import { Alerts } from '../../src/events/alerts/alerts.js'
import { Webhooks } from '../../src/events/webhooks.js'
import { InboundWebhooks } from '../../src/ingest/inbound/inbound-webhooks.js'
import { SavedMappings } from '../../src/ingest/mapping/saved-mappings.js'
import { Connections } from '../../src/oauth/connections.js'
import { KnowledgeBases } from '../../src/questions/knowledge/knowledge-bases.js'
import { StoreFollower } from '../../src/service/store-follower.js'
import type { MongoStore } from '../../src/store/mongodb/mongodb-store.js'
import type { Followed } from '../../src/store/shared-records.js'
import type { RecordKind } from '../../src/store/versions.js'
import { newTask } from '../../src/tasks/task-fields.js'
import { Tasks } from '../../src/tasks/tasks.js'
import { clientIds, makeAccess, silent } from '../support/access.js'
import { mongoStore, type OpenedMongo } from '../support/mongodb/mongo-store.js'
import { services } from '../tasks/support.js'

/** Everything that is kept in memory: what one process of a store adds, changes and removes the other knows by its next look. */

const P = 'p'
const clock = () => Date.now()
const admin = { name: 'ada', role: 'Admin' } as const
const box = new SecretBox(Buffer.alloc(32, 7).toString('base64url'))

/** One kind, in one process. */
interface Registry {
  readonly followed: Followed
  readonly add: () => Promise<unknown>
  readonly change?: () => Promise<unknown>
  readonly remove?: () => Promise<unknown>
  /** What is known here of what was added; undefined: nothing. */
  readonly known: () => unknown
}

const projectsOf = (store: MongoStore) => Projects.load(store.projects, clock, store)
const teamsOf = (store: MongoStore) => Teams.load({ store: store.teams, sharing: store, clock })

/** How each kind comes to a process: a kind that is new has to be here. Deliveries are waited for, and not kept. */
const registries: { readonly [K in Exclude<RecordKind, 'deliveries'>]: (store: MongoStore) => Promise<Registry> } = {
  projects: async store => {
    const all = await projectsOf(store)
    return {
      followed: all.followed,
      add: () => all.create({ project_id: 'new', timezone: 'UTC', verticals: [] }),
      change: () => all.patch('new', { name: 'Other' }),
      known: () => all.find('new'),
    }
  },
  teams: async store => {
    const all = await teamsOf(store)
    return {
      followed: all.followed,
      add: () => all.create(P, { team_id: 't', agents: ['Ana'] }, admin),
      change: () => all.patch(P, 't', { agents: ['Ben'] }),
      remove: () => all.remove(P, 't'),
      known: () => all.find(P, 't'),
    }
  },
  keys: async store => {
    const [projects, teams] = [await projectsOf(store), await teamsOf(store)]
    const all = await Keys.load({ store: store.keys, sharing: store, projects, teams, log: silent, clock })
    const found = () => all.list(P, { includeRevoked: true })[0]
    return {
      followed: all.followed,
      add: () => all.mint(P, newKey.parse({ name: 'Desk' }), admin),
      change: () => all.patch(P, found()!.key_id, { name: 'Other' }, admin),
      remove: () => all.revoke(P, found()!.key_id),
      known: () => all.accepted(found()?.key_id ?? ''),
    }
  },
  connections: async store => {
    const { keys } = await makeAccess()
    const all = await Connections.load({ store: store.oauth, clientIds, sharing: store, keys, log: silent })
    const seconds = Math.floor(clock() / 1000)
    return {
      followed: all.followed,
      add: async () => {
        await all.adapter('Grant').upsert('g', { accountId: 'key', clientId: 'c', iat: seconds }, 3_600)
      },
      change: async () => {
        await all.adapter('Grant').upsert('g', { accountId: 'key', clientId: 'c', iat: seconds + 1 }, 3_600)
      },
      remove: () => all.endAllOf('key'),
      known: () => all.of('key')[0],
    }
  },
  rubrics: async store => {
    const all = await Rubrics.load({ store: store.rubrics, sharing: store, read: async () => defaultRubric.rubric })
    let now: unknown
    return {
      followed: {
        kind: all.followed.kind,
        reload: () => all.followed.reload(),
        follow: async versions => {
          await all.followed.follow(versions)
          const { version, source } = await all.of(P)
          now = source === 'project' ? version : undefined
        },
      },
      add: async () => (now = (await all.set(P, { text: 'name: one' }, 'ada')).version),
      change: async () => (now = (await all.set(P, { text: 'name: two' }, 'ada')).version),
      known: () => now,
    }
  },
  webhooks: async store => {
    const all = await Webhooks.load({ store: store.events, sharing: store, box, clock, checkUrl: () => undefined })
    const found = () => all.list(P)[0]
    return {
      followed: all.followed,
      add: () => all.add(P, { url: 'https://hooks.example.com/', events: ['key.minted'] }, 'ada'),
      change: () => all.patch(P, found()!.webhook_id, { active: false }),
      remove: () => all.remove(P, found()!.webhook_id),
      known: found,
    }
  },
  alerts: async store => {
    const all = await Alerts.load(store.events.alerts, clock, store)
    const found = () => all.list(P)[0]
    const fields = newAlert.parse({ name: 'Low', condition: { kind: 'score_below', threshold: 3 } })
    return {
      followed: all.followed,
      add: () => all.add(P, fields, 'ada'),
      change: () => all.patch(P, found()!.alert_id, { active: false }),
      remove: () => all.remove(P, found()!.alert_id),
      known: found,
    }
  },
  tasks: async store => {
    const all = await Tasks.load({ store: store.tasks, sharing: store, services: services(), clock })
    const found = () => all.list(P)[0]
    const fields = { kind: 'retention', schedule: '0 3 * * *', parameters: { calls_after_days: 30 } }
    return {
      followed: all.followed,
      add: () => all.create(P, newTask.parse(fields), 'ada'),
      change: () => all.patch(P, found()!.task_id, { enabled: false }),
      remove: () => all.remove(P, found()!.task_id),
      known: found,
    }
  },
  mappings: async store => {
    const all = await SavedMappings.load({ store: store.imports, sharing: store, clock })
    const fields = { mapping_id: 'm', map: ['score=Punkte'], agent_speaker: [] }
    return {
      followed: all.followed,
      add: () => all.set(P, fields, 'ada'),
      change: () => all.set(P, { ...fields, map: [] }, 'ada'),
      remove: () => all.remove(P, 'm'),
      known: () => all.list(P)[0],
    }
  },
  inbound_webhooks: async store => {
    const all = await InboundWebhooks.load({ store: store.imports, sharing: store, box, clock })
    const found = () => all.list(P)[0]
    return {
      followed: all.followed,
      add: () => all.add(P, { name: 'In', kind: 'standard' }, 'ada'),
      remove: () => all.remove(P, found()!.webhook_id),
      known: found,
    }
  },
  knowledge: async store => {
    const all = await KnowledgeBases.load({ store: store.knowledge, sharing: store })
    let id = ''
    let found: unknown
    const look = async () => {
      const [hit] = (await all.of(P)?.search('returns', 1)) ?? []
      found = hit && JSON.stringify(hit)
    }
    const put = async (text: string) => {
      id = (await all.put(P, { name: 'a.md', title: 'A', sections: [{ title: 'Returns', text }] })).document.kb_id
      await look()
    }
    return {
      followed: {
        kind: all.kind,
        reload: () => all.reload(),
        follow: async versions => {
          await all.follow(versions)
          await look()
        },
      },
      add: () => put('Returns within 14 days.'),
      change: () => put('Returns within 30 days.'),
      remove: async () => {
        await all.remove(P, id)
        await look()
      },
      known: () => found,
    }
  },
}

let opened: OpenedMongo
let stores: readonly [MongoStore, MongoStore]
beforeAll(async () => {
  opened = await mongoStore()
  stores = [opened.store, await opened.beside()]
  await (await projectsOf(opened.store)).create({ project_id: P, timezone: 'UTC', verticals: [] })
  return () => opened.end()
})

it.each(Object.entries(registries))('%s', async (kind, load) => {
  const [here, there] = [await load(stores[0]), await load(stores[1])]
  expect(here.followed.kind).toBe(kind)
  const follower = new StoreFollower({ versions: stores[1].versions, log: silent })
  follower.add(there.followed)
  expect(there.known()).toBeUndefined()
  const seen: unknown[] = []
  for (const does of [here.add, here.change, here.remove].filter(one => one !== undefined)) {
    const before = there.known()
    await does()
    expect(there.known(), 'before it looked').toEqual(before)
    await follower.look()
    await expect.poll(() => there.known()).toEqual(here.known())
    expect(here.known()).not.toEqual(before)
    seen.push(here.known())
  }
  expect(seen[0]).toBeDefined()
  expect(seen.at(-1) === undefined).toBe(here.remove !== undefined)
})
