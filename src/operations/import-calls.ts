import { z } from 'zod'
import { requesterOf } from '../access/requester-of.js'
import { HeldShare } from '../admission/held-share.js'
import { Problem } from '../base/problem.js'
import { importRubric } from '../evaluation/run/import-rubric.js'
import { importCalls } from '../ingest/import-calls.js'
import { importAnswer, importAnswerOf } from './import-answer.js'
import { operation } from './operation.js'

const ENCODINGS = ['identity', 'gzip', 'x-gzip']

const query = z.strictObject({
  dry_run: z.boolean().default(false).meta({
    description: 'true: nothing is written or evaluated; the answer says what would be, whatever would be rejected',
  }),
  restore_erased: z
    .boolean()
    .default(false)
    .meta({ description: 'true: calls that were erased on request are taken back; else they are rejected' }),
})

/** Adding calls: by an administrator, or a key with role Admin and the full project. */
export const importProject = operation({
  method: 'POST',
  url: '/api/v1/interactions',
  access: 'overseer',
  summary: 'Import calls',
  description:
    'Takes call records as NDJSON, as a JSON array or alone, streamed, also with Content-Encoding gzip. A call with the session_id of one already there replaces it, so an import that broke off is simply sent again; of equal ids in one import the last one wins. Faulty records are reported and cost the good ones nothing; when not one can be taken, the answer is 422. In a project with `redact` personal data is masked before anything is stored. In a project with `evaluation: rules` calls that bring no evaluation are evaluated as they come in.',
  query,
  uploads: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/json'],
  answer: importAnswer,
  run: async ({ store, projects, rubrics, threads, admission, imports, importLimits }, request, caller) => {
    const project = projects.get(caller.project_id)
    const { project_id: projectId, redact = false } = project
    const upload = request.upload()
    const { length, encoding } = upload
    if (!ENCODINGS.includes(encoding)) {
      throw new Problem('unsupported_media_type', `Content-Encoding must be one of ${ENCODINGS.join(', ')}`)
    }
    if (length !== undefined && length > importLimits.maxImportBytes) {
      throw new Problem('too_large', `The body is larger than the limit of ${importLimits.maxImportBytes} bytes`)
    }
    const { restore_erased: restoreErased, dry_run: dryRun } = request.query()
    const requester = requesterOf(caller)
    const share = admission.uploads.take(requester)
    const stream = upload.open()
    try {
      const report = await importCalls({
        inputs: [{ name: 'body', stream }],
        format: 'call-records',
        projectId,
        store: store.calls,
        redact,
        evaluate: await importRubric(rubrics, project),
        shared: { threads, requester },
        memory: {
          record: new HeldShare(admission.unfinishedRecords, requester),
          batch: new HeldShare(admission.unwrittenRecords, requester),
        },
        signal: request.signal,
        restoreErased,
        dryRun,
        maxRecordBytes: importLimits.maxRecordBytes,
        maxInputBytes: importLimits.maxImportBytes,
      })
      if (!dryRun) imports.imported(report)
      return importAnswerOf(report)
    } finally {
      stream.destroy()
      share.release()
    }
  },
})
