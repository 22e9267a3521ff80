import { Readable } from 'node:stream'
import { Problem } from '../../base/problem.js'
import { refitLift } from '../../evaluation/lift/refit-lift.js'
import type { RunRubric } from '../../evaluation/run/evaluate-batch.js'
import { evaluateCalls } from '../../evaluation/run/evaluate-calls.js'
import { runRubricOf } from '../../evaluation/run/run-rubric.js'
import helpPages from '../../demo/content/help-pages.json' with { type: 'json' }
import { generateCalls } from '../../demo/generate-calls.js'
import { importCalls } from '../../ingest/import-calls.js'
import { KnowledgeBases } from '../../questions/knowledge/knowledge-bases.js'
import type { Installation } from '../../service/open-installation.js'
import type { Store } from '../../store/store.js'
import { startProgress } from '../progress.js'
import { type DemoMarker, writeDemoMarker } from './demo-marker.js'
import { DEMO_PROJECT } from './demo-project.js'

/**
 * Fills the demo's project with its sample calls on the way every call takes, on which the rules evaluate them, fits
 * outcome lift, gives it the help pages of its shop and bank, and notes that it is filled: what the demo shows is what
 * evaluation found in the transcripts.
 */
export async function fillDemo(
  { store, projects, rubrics }: Pick<Installation, 'store' | 'projects' | 'rubrics'>,
  dataDir: string,
  marker: DemoMarker,
  signal: Promise<NodeJS.Signals>,
): Promise<void> {
  const abort = new AbortController()
  void signal.then(() => abort.abort(new Problem('cancelled', 'Interrupted; the next start fills the demo anew')))
  const { calls, seed, end } = marker
  const progress = startProgress('Making and evaluating sample calls', 'calls', calls)
  try {
    const { lines } = generateCalls({ calls, seed, end: new Date(end), unevaluated: true })
    const stream = Readable.from(lines, { objectMode: false })
    const rubric = await runRubricOf(rubrics, projects.get(DEMO_PROJECT))
    const report = await importCalls({
      inputs: [{ name: 'sample calls', stream }],
      projectId: DEMO_PROJECT,
      store: store.calls,
      redact: false,
      evaluate: rubric,
      signal: abort.signal,
      onProgress: ({ received }) => progress.update(received),
    })
    if (report.rejected > 0) throw new Error(`a sample call was rejected: ${JSON.stringify(report.errors[0])}`)
    // On a machine with much else to do, evaluation as calls come in may run out of its time; by itself it has no limit.
    if ((report.evaluation?.not_evaluated ?? 0) > 0) await evaluateRest(store, rubric, abort.signal)
    const knowledge = await KnowledgeBases.load({ store: store.knowledge })
    for (const page of helpPages) await knowledge.put(DEMO_PROJECT, page)
    await refitLift({ store, projectId: DEMO_PROJECT, rubric, signal: abort.signal })
  } finally {
    progress.stop()
  }
  await writeDemoMarker(dataDir, { ...marker, state: 'filled' })
}

async function evaluateRest({ calls }: Store, rubric: RunRubric, signal: AbortSignal): Promise<void> {
  const options = { store: calls, projectId: DEMO_PROJECT, rubric, which: 'pending', signal } as const
  const [none] = (await evaluateCalls(options)).reasons
  if (none !== undefined) throw new Error(`a sample call has no evaluation: ${none.reason}`)
}
