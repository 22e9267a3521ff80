import type { NamedTask } from '../admission/threads.js'
import { readRubricText } from '../evaluation/rubric/read-rubric-text.js'
import { evaluateSome } from '../evaluation/run/evaluate-some.js'
import { concludeFromModel, prepareForModel } from '../evaluation/run/model-readings.js'
import { explainUpload } from '../ingest/explain/explain-files.js'
import { prepareSome } from '../ingest/prepare-some.js'
import { redactTexts } from '../ingest/redact-texts.js'
import { comparePanel } from '../questions/changes/compare-panel.js'
import { maskCalls } from '../questions/masked/mask-calls.js'

/** What the threads of a service do, by its name. */
const works: Readonly<Record<string, (task: never) => unknown>> = {
  readRubricText,
  evaluateSome,
  prepareForModel,
  concludeFromModel,
  prepareSome,
  explainUpload,
  redactTexts,
  comparePanel,
  maskCalls,
}

/** What a thread runs. */
export function tenantWork({ name, task }: NamedTask): unknown {
  const known = works[name]
  if (known === undefined) throw new Error(`Threads know no work ${name}`)
  return known(task as never)
}
