import { z } from 'zod'
import { requesterOf } from '../access/requester-of.js'
import type { Admission } from '../admission/admission.js'
import { HeldShare } from '../admission/held-share.js'
import type { Threads } from '../admission/threads.js'
import type { Projects } from '../access/projects.js'
import { Problem } from '../base/problem.js'
import { importRubric } from '../evaluation/run/import-rubric.js'
import type { Rubrics } from '../evaluation/rubrics.js'
import type { ImportMeter } from '../metrics/import-meter.js'
import { importCalls } from '../ingest/import-calls.js'
import type { CallStore } from '../store/store.js'
import { importAnswer, importAnswerOf } from './import-answer.js'
import { type Route, route } from './route.js'

export interface ImportRouteParts {
  readonly store: CallStore
  readonly projects: Pick<Projects, 'get'>
  /** What a project's calls are evaluated by. */
  readonly rubrics: Pick<Rubrics, 'of'>
  /** Where uploads are checked and evaluated. */
  readonly threads: Threads
  /** Uploads under way: each holds what it has not written yet, also while it waits for bytes. */
  readonly admission: Pick<Admission, 'uploads' | 'unfinishedRecords' | 'unwrittenRecords'>
  /** Hears of what came in. */
  readonly imports: ImportMeter
  /** Most bytes of an upload, decompressed, and of one record. */
  readonly maxImportBytes: number
  readonly maxRecordBytes: number
}

const ENCODINGS = ['identity', 'gzip', 'x-gzip']

const query = z.strictObject({
  dry_run: z.enum(['true', 'false']).default('false').meta({
    description: 'true: nothing is written or evaluated; the answer says what would be, whatever would be rejected',
  }),
  restore_erased: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: 'true: calls that were erased on request are taken back; else they are rejected' }),
})

/** Adding calls: by an administrator, or a key with role Admin and the full project. */
export function importRoutes(parts: ImportRouteParts): readonly Route[] {
  const { store, projects, rubrics, threads, admission, imports, maxImportBytes, maxRecordBytes } = parts
  return [
    route({
      method: 'POST',
      url: '/api/v1/interactions',
      access: 'overseer',
      summary: 'Import calls',
      description:
        'Takes call records as NDJSON, as a JSON array or alone, streamed, also with Content-Encoding gzip. A call with the session_id of one already there replaces it, so an import that broke off is simply sent again; of equal ids in one import the last one wins. Faulty records are reported and cost the good ones nothing; when not one can be taken, the answer is 422. In a project with `redact` personal data is masked before anything is stored. In a project with `evaluation: rules` calls that bring no evaluation are evaluated as they come in.',
      query,
      uploads: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/json'],
      answer: importAnswer,
      handle: async (request, caller) => {
        const project = projects.get(caller.project_id)
        const { project_id: projectId, redact = false } = project
        const upload = request.upload()
        const { length, encoding } = upload
        if (!ENCODINGS.includes(encoding)) {
          throw new Problem('unsupported_media_type', `Content-Encoding must be one of ${ENCODINGS.join(', ')}`)
        }
        if (length !== undefined && length > maxImportBytes) {
          throw new Problem('too_large', `The body is larger than the limit of ${maxImportBytes} bytes`)
        }
        const { restore_erased: restoreErased, dry_run: dry } = request.query()
        const dryRun = dry === 'true'
        const requester = requesterOf(caller)
        const share = admission.uploads.take(requester)
        const stream = upload.open()
        try {
          const report = await importCalls({
            inputs: [{ name: 'body', stream }],
            format: 'call-records',
            projectId,
            store,
            redact,
            evaluate: await importRubric(rubrics, project),
            shared: { threads, requester },
            memory: {
              record: new HeldShare(admission.unfinishedRecords, requester),
              batch: new HeldShare(admission.unwrittenRecords, requester),
            },
            signal: request.signal,
            restoreErased: restoreErased === 'true',
            dryRun,
            maxRecordBytes,
            maxInputBytes: maxImportBytes,
          })
          if (!dryRun) imports.imported(report)
          return importAnswerOf(report)
        } finally {
          stream.destroy()
          share.release()
        }
      },
    }),
  ]
}
