import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { KnowledgeBases } from '../../src/questions/knowledge/knowledge-bases.js'
import { knownKind } from '../../src/tasks/known-kind.js'
import { Reports } from '../../src/tasks/reports.js'
import type { TaskContext } from '../../src/tasks/task-kind.js'
import type { TaskServices } from '../../src/tasks/task-services.js'
import { silent } from '../support/access.js'
import { type Asking, asking, caller } from '../support/asking.js'
import type { Question } from '../../src/questions/question.js'
import { tempDir } from '../support/temp-dir.js'
import { project, services } from './support.js'

export const NOW = Date.parse('2026-03-15T12:00:00Z')

/**
 * Runs kinds over a real store, which is one for all tests of a file, and below directories of the test: in a project of its own each
 * time, or always in the one that is given.
 */
export function overOneStore(always?: string) {
  let asked: Asking
  let projects = 0
  beforeAll(async () => {
    asked = await asking('UTC', { project })
    return () => asked.close()
  })
  return async (parts: Partial<TaskServices> = {}, log = silent) => {
    const id = always ?? `p${(projects += 1)}`
    const { store } = asked
    const dir = tempDir()
    const [importDir, reportDir] = [join(dir, 'import'), join(dir, 'reports')]
    for (const path of [importDir, reportDir, join(importDir, id), join(importDir, id, 'drop')]) mkdirSync(path)
    const usual = services()
    const given = services({
      answering: asked.answering,
      calls: store.calls,
      knowledge: await KnowledgeBases.load({ store: store.knowledge }),
      importDir,
      projects: { ...usual.projects, get: project },
      reports: new Reports({ store: store.reports, reportDir, log: silent }),
      ...parts,
    })
    const context = (signal = new AbortController().signal): TaskContext => {
      const setting = { services: given, project: project(id), now: NOW, isRun: true }
      return { ...setting, taskId: 'task_1', runId: 'run_1', signal, log }
    }
    const all = () => store.calls.olderThan(id, Date.parse('2100-01-01'), { limit: 10_000 })
    const before = new Set(await all())
    return {
      store,
      project: id,
      services: given,
      drop: join(importDir, id, 'drop'),
      importDir,
      reportDir,
      import: async (calls: readonly CallRecord[]) => await asked.import(id, calls),
      ask: async <I, T>(question: Question<I, T>, args: object) => await asked.ask(question, args, caller({}, id)),
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
      /** The calls that came since. */
      ids: async () => (await all()).filter(one => !before.has(one)).sort(),
    }
  }
}

/** A call as a line of NDJSON. */
export const record = (id: string, more: object = {}) =>
  JSON.stringify({ session_id: id, agent_name: 'Ana', created_dt: '2026-03-10T12:00:00Z', ...more })
