import type { NamedTask } from '../admission/threads.js'

type Work = (task: never) => unknown

/** What the threads of a service do, by its name. A thread loads what it does: most do one thing or two, and all of it is 3 MB of code. */
const works: Readonly<Record<string, () => Promise<Work>>> = {
  readRubricText: async () => (await import('../evaluation/rubric/read-rubric-text.js')).readRubricText,
  evaluateSome: async () => (await import('../evaluation/run/evaluate-some.js')).evaluateSome,
  prepareForModel: async () => (await import('../evaluation/run/model-readings.js')).prepareForModel,
  concludeFromModel: async () => (await import('../evaluation/run/model-readings.js')).concludeFromModel,
  prepareSome: async () => (await import('../ingest/prepare-some.js')).prepareSome,
  explainUpload: async () => (await import('../ingest/explain/explain-files.js')).explainUpload,
  redactTexts: async () => (await import('../ingest/redact-texts.js')).redactTexts,
  comparePanel: async () => (await import('../questions/changes/compare-panel.js')).comparePanel,
  gatherReasons: async () => (await import('../questions/reasons/unnamed-reasons.js')).gatherReasons,
  maskCalls: async () => (await import('../questions/masked/mask-calls.js')).maskCalls,
}

/** What a thread runs. */
export async function tenantWork({ name, task }: NamedTask): Promise<unknown> {
  const load = works[name]
  if (load === undefined) throw new Error(`Threads know no work ${name}`)
  const work = await load()
  return work(task as never)
}
