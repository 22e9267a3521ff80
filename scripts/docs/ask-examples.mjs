import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectCatalogs } from '../../dist/calls/catalogs.js'
import { builtInCatalogs } from '../../dist/evaluation/rubric/rubric-catalogs.js'
import { scoringOf } from '../../dist/evaluation/rubric/scoring.js'
import { defaultRubric } from '../../dist/evaluation/rubric/built-in-rubrics.js'
import { createAnswering } from '../../dist/questions/create-answering.js'
import { Admission } from '../../dist/admission/admission.js'
import { loadConfig } from '../../dist/config.js'
import { KnowledgeBases } from '../../dist/questions/knowledge/knowledge-bases.js'
import { tenantWork } from '../../dist/service/tenant-work.js'
import { openDuckDbStore } from '../../dist/store/duckdb/open-duckdb-store.js'
import { NOW, activity, calls, documents, examples, project } from './sample-project.mjs'

const caller = {
  project_id: 'demo',
  source: 'application_key',
  app_name: 'Claude of Ann',
  credential_id: 'key_ann',
  access_scope: { is_supervisor: true, roles: ['Admin'], allowed_agents: [], require_mapping: false, text: 'full' },
}

/** Really asks every question its example; gives back arguments and answers by name. */
export async function askExamples(questions) {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-docs-'))
  // One question at a time gets by with Node's own thread pool.
  const store = await openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 2, threadPoolSize: 16 })
  const admission = new Admission(loadConfig({}, {}).config)
  try {
    const answering = createAnswering({
      store,
      feedback: store.events.feedback,
      project: () => project,
      catalogs: asked => projectCatalogs(asked, builtInCatalogs),
      scoring: async () => scoringOf(defaultRubric, []),
      catchUp: async () => undefined,
      heavy: admission.heavyQuestions,
      budgets: admission.budgets,
      light: admission.lightQuestions,
      pipelineReading: admission.pipelineReading,
      threads: { run: async ({ name }, task) => tenantWork({ name, task }) },
      knowledge: await filled(store),
      teams: { find: () => undefined, list: () => [] },
      // Real ones are sealed with a random nonce.
      cursors: () => ({ seal: () => 'opaque', open: () => undefined }),
      // What is written down hangs on no machine's speed.
      deadlineMs: 300_000,
      clock: () => NOW,
    })
    const asked = new Map()
    for (const question of questions) {
      const args = examples[question.name] ?? question.rest?.example ?? {}
      const answer = await answering.answer(question, caller, args, { requestId: 'docs' })
      asked.set(question.name, { args, answer: 'elapsed_ms' in answer ? { ...answer, elapsed_ms: 1 } : answer })
    }
    return asked
  } finally {
    await store.close()
    await rm(dataDir, { recursive: true })
  }
}

async function filled(store) {
  const prepared = calls.map(one => {
    const { session_id, agent_id, agent_name } = one
    return { session_id, agent_id, agent_name, json: JSON.stringify(one) }
  })
  await store.calls.upsert('demo', prepared)
  await store.activity.insert(activity)
  for (const document of documents) await store.knowledge.put(document)
  const bases = await KnowledgeBases.load({ store: store.knowledge })
  return id => bases.of(id)
}
