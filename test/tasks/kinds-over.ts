import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { KnowledgeBases } from '../../src/questions/knowledge/knowledge-bases.js'
import { knownKind } from '../../src/tasks/known-kind.js'
import { Reports } from '../../src/tasks/reports.js'
import type { TaskContext } from '../../src/tasks/task-kind.js'
import type { TaskServices } from '../../src/tasks/task-services.js'
import { silent } from '../support/access.js'
import { asking } from '../support/asking.js'
import { tempDir } from '../support/temp-dir.js'
import { project, services } from './support.js'

export const NOW = Date.parse('2026-03-15T12:00:00Z')

/** Runs kinds over a real store with project `p`, below directories of the test. */
export async function kindsOver(parts: Partial<TaskServices> = {}, log = silent) {
  const asked = await asking()
  onTestFinished(() => asked.close())
  const dir = tempDir()
  const [importDir, reportDir] = [join(dir, 'import'), join(dir, 'reports')]
  for (const path of [importDir, reportDir, join(importDir, 'p'), join(importDir, 'p', 'drop')]) mkdirSync(path)
  const given = services({
    answering: asked.answering,
    calls: asked.store.calls,
    knowledge: await KnowledgeBases.load({ store: asked.store.knowledge }),
    importDir,
    reports: new Reports({ store: asked.store.reports, reportDir, log: silent }),
    ...parts,
  })
  const context = (signal = new AbortController().signal): TaskContext => {
    const setting = { services: given, project: project('p'), now: NOW, isRun: true }
    return { ...setting, taskId: 'task_1', runId: 'run_1', signal, log }
  }
  return {
    ...asked,
    services: given,
    drop: join(importDir, 'p', 'drop'),
    importDir,
    reportDir,
    /** What is asked of a kind when a task is made. */
    make: async (name: string, parameters: object) => {
      const kind = knownKind(name)
      await kind.check(kind.parameters.parse(parameters), { ...context(), isRun: false })
    },
    run: async (name: string, parameters: object, signal?: AbortSignal) => {
      const kind = knownKind(name)
      const read = kind.parameters.parse(parameters)
      const here = context(signal)
      await kind.check(read, here)
      return await kind.run(read, here)
    },
    ids: async () => [...(await asked.store.calls.olderThan('p', Date.parse('2100-01-01'), { limit: 10_000 }))].sort(),
  }
}

/** A call as a line of NDJSON. */
export const record = (id: string, more: object = {}) =>
  JSON.stringify({ session_id: id, agent_name: 'Ana', created_dt: '2026-03-10T12:00:00Z', ...more })
