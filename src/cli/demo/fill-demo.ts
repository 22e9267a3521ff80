import { Readable } from 'node:stream'
import { Problem } from '../../base/problem.js'
import { generateCalls } from '../../ingest/generate/generate-calls.js'
import { importCalls } from '../../ingest/import-calls.js'
import type { Installation } from '../../service/open-installation.js'
import { startProgress } from '../progress.js'
import { type DemoMarker, writeDemoMarker } from './demo-marker.js'
import { DEMO_PROJECT } from './demo-project.js'

/** Fills the demo's project with its sample calls, on the way every call takes, and notes that it is filled. */
export async function fillDemo(
  { store }: Installation,
  dataDir: string,
  marker: DemoMarker,
  signal: Promise<NodeJS.Signals>,
): Promise<void> {
  const abort = new AbortController()
  void signal.then(() => abort.abort(new Problem('cancelled', 'Interrupted; the next start fills the demo anew')))
  const { calls, seed, end } = marker
  const progress = startProgress('Making sample calls', 'calls', calls)
  try {
    const stream = Readable.from(generateCalls({ calls, seed, end: new Date(end) }).lines, { objectMode: false })
    const report = await importCalls({
      inputs: [{ name: 'sample calls', stream }],
      projectId: DEMO_PROJECT,
      store: store.calls,
      redact: false,
      signal: abort.signal,
      onProgress: ({ received }) => progress.update(received),
    })
    if (report.rejected > 0) throw new Error(`a sample call was rejected: ${JSON.stringify(report.errors[0])}`)
  } finally {
    progress.stop()
  }
  await writeDemoMarker(dataDir, { ...marker, state: 'filled' })
}
