import { z } from 'zod'
import type { Caller } from '../access/caller.js'
import { requesterOf } from '../access/requester-of.js'
import { HeldShare } from '../admission/held-share.js'
import { Overrun } from '../base/overrun.js'
import { Problem } from '../base/problem.js'
import { timeZone } from '../base/time-zone.js'
import { callRecord } from '../calls/call-record.js'
import { importRubric } from '../evaluation/run/import-rubric.js'
import { EXPLAIN_UPLOAD } from '../ingest/explain/explain-files.js'
import { formats } from '../ingest/formats/formats.js'
import { importCalls } from '../ingest/import-calls.js'
import { type Reading, readingOf } from '../ingest/mapping/saved-mappings.js'
import { parseMaps } from '../ingest/mapping/parse-map.js'
import { type PlaceIds, placeIds } from '../ingest/place-id.js'
import { exactName } from '../questions/arguments.js'
import { maskingOf } from '../store/records/project.js'
import { explanation } from './explain-answer.js'
import { importAnswer, importAnswerOf } from './import-answer.js'
import { operation, type Received } from './operation.js'
import type { Services } from './services.js'

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
  example: { query: { dry_run: true } },
  description:
    'Takes call records as NDJSON, as a JSON array or alone, streamed, also with Content-Encoding gzip. A call with the session_id of one already there replaces it, so an import that broke off is simply sent again; of equal ids in one import the last one wins. Faulty records are reported and cost the good ones nothing; when not one can be taken, the answer is 422. In a project with `redact` personal data of its `redact_kinds` is masked before anything is stored. In a project with `evaluation: rules` calls that bring no evaluation are evaluated as they come in.',
  query,
  uploads: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/json'],
  answer: importAnswer,
  uploaded: callRecord,
  run: (services, request, caller) => {
    const { restore_erased: restoreErased, dry_run: dryRun } = request.query()
    return importUpload(services, request, caller, { name: 'body', format: 'call-records', restoreErased, dryRun })
  },
})

/** Where a mapping, a name or a label may be as long as in an import by command, nearly. */
const short = z.string().min(1).max(1_000)

const transcriptQuery = query.extend({
  format: z
    .enum(formats.map(({ name }) => name) as [string, ...string[]])
    .optional()
    .meta({ description: 'Format to read it as; by its content when absent' }),
  name: z.string().min(1).max(1_000).optional().meta({
    description:
      'Its path or file name, such as Ann/2026-03-01-100000-call-1.vtt: what @file, @folder, @path and @file_time of a mapping read, and what names the call where nothing else does',
  }),
  session_id: exactName('The id of the call, where the transcript says none').optional(),
  agent_id: exactName('Id of the agent; made of the name when absent').optional(),
  agent_name: exactName('Name of the agent, where the transcript says none').optional(),
  created_dt: short
    .optional()
    .meta({ description: 'When the call began, such as 2026-03-01T10:00:00Z, where the transcript does not say' }),
  mapping: short.optional().meta({ description: 'A saved mapping by its name; what is said beside it counts' }),
  map: z.array(short).max(100).default([]).meta({
    description: 'FIELD=SOURCE: where a field comes from, such as agent_name=metadata.agent; may be repeated',
  }),
  agent_speaker: z
    .array(short)
    .max(100)
    .default([])
    .meta({ description: 'Label of the speaker who is the agent, where labels do not say so; may be repeated' }),
  time_zone: timeZone
    .optional()
    .meta({ description: 'Zone of times that say none, such as Europe/Berlin; such times are refused when absent' }),
})

const TRANSCRIPT_TYPES = [
  'text/vtt',
  'application/x-subrip',
  'application/json',
  'application/x-ndjson',
  'text/csv',
  'text/plain',
  'message/rfc822',
  'application/mbox',
  'application/octet-stream',
] as const

/** Fields that have parameters of their own. */
const NAMED = ['session_id', 'agent_id', 'agent_name', 'created_dt'] as const

/** Formats that a media type names. */
const FORMAT_OF_TYPE: Readonly<Record<string, string>> = {
  'text/vtt': 'webvtt',
  'application/x-subrip': 'srt',
  'message/rfc822': 'email',
  'application/mbox': 'email',
}

/** Adding a call by its transcript, as a recorder or a transcriber wrote it. */
export const importTranscript = operation({
  method: 'POST',
  url: '/api/v1/transcripts',
  access: 'overseer',
  summary: 'Import a transcript',
  example: { query: { session_id: 'call-7', agent_name: 'Ana Silva', created_dt: '2026-03-01T10:00:00Z' } },
  description: `Takes a transcript as it was made, in any format that import knows (${formats.map(({ name }) => name).join(', ')}), also gzip, and answers as the import of calls does. Its parameters are the options of \`earshot import\`; \`session_id\`, \`agent_id\`, \`agent_name\` and \`created_dt\` are short for a mapping to a constant. The same call sent again under its id replaces itself; another call, of another agent or start and with other words, is refused, and the one that is there stays.`,
  query: transcriptQuery,
  uploads: TRANSCRIPT_TYPES,
  answer: importAnswer,
  run: (services, request, caller) => {
    const asked = request.query()
    const { format, name, session_id: id, time_zone: zone } = asked
    const constants = NAMED.flatMap(field => {
      const value = asked[field]
      return value === undefined ? [] : [`${field}=${JSON.stringify(value)}`]
    })
    const beside: Reading = {
      mapping: parseMaps([...constants, ...asked.map]),
      agentSpeakers: asked.agent_speaker,
      ...(zone !== undefined && { timeZone: zone }),
      ...(format !== undefined && { format }),
    }
    const { mapping } = asked
    const reading =
      mapping === undefined ? beside : readingOf(services.mappings.get(caller.project_id, mapping), beside)
    return importUpload(services, request, caller, {
      name: name ?? 'body',
      ids: id === undefined ? (name === undefined ? undefined : placeIds(name)) : { id },
      format: reading.format ?? FORMAT_OF_TYPE[request.upload().type],
      restoreErased: asked.restore_erased,
      dryRun: asked.dry_run,
      reading,
    })
  },
})

/** Says what a file is, and what it lacks, and writes nothing. */
export const explainTranscript = operation({
  method: 'POST',
  url: '/api/v1/transcripts/explain',
  access: 'overseer',
  summary: 'Explain a transcript',
  description:
    'What a file is taken for, how its agent is found and what it lacks; of one of no known format its fields, the nearest format, and mappings that would read it. Nothing is written.',
  query: transcriptQuery.pick({ name: true, mapping: true, map: true, agent_speaker: true, time_zone: true }),
  example: { query: { name: 'Ann/call-1.json' } },
  uploads: TRANSCRIPT_TYPES,
  answer: explanation,
  run: async (services, request, caller) => {
    const { name = 'body', mapping, map, agent_speaker: agentSpeakers, time_zone: zone } = request.query()
    const beside = { mapping: parseMaps(map), agentSpeakers, ...(zone !== undefined && { timeZone: zone }) }
    const said = mapping === undefined ? beside : readingOf(services.mappings.get(caller.project_id, mapping), beside)
    const reading = {
      redact: false,
      mapping: said.mapping ?? [],
      agentSpeakers: said.agentSpeakers ?? [],
      timeZone: said.timeZone,
    }
    const { maxRecordBytes: recordBytes } = services.importLimits
    const upload = request.upload()
    const { length, encoding } = upload
    if (encoding !== 'identity') throw new Problem('unsupported_media_type', 'Content-Encoding must be identity')
    if ((length ?? 0) > recordBytes) throw tooLarge(recordBytes)
    const requester = requesterOf(caller)
    const share = await services.admission.takeUpload(requester)
    const held = new HeldShare(services.admission.unfinishedRecords, requester)
    const stream = upload.open()
    try {
      const pieces: Buffer[] = []
      let taken = 0
      for await (const piece of stream as AsyncIterable<Buffer>) {
        taken += piece.length
        if (taken > recordBytes) throw tooLarge(recordBytes)
        held.hold(taken)
        pieces.push(piece)
      }
      const task = { name, bytes: Buffer.concat(pieces), reading, recordBytes }
      return await services.threads.run(EXPLAIN_UPLOAD, task, { requester, signal: request.signal })
    } catch (error) {
      throw error instanceof Overrun
        ? new Problem('too_large', `Explaining it ${error.took}; send its beginning`)
        : error
    } finally {
      stream.destroy()
      held.hold(0)
      share.release()
    }
  },
})

function tooLarge(bytes: number): Problem {
  return new Problem('too_large', `The body is larger than the limit of ${bytes} bytes; send its beginning`)
}

interface HowToImport {
  readonly name: string
  readonly ids?: PlaceIds | undefined
  readonly format: string | undefined
  readonly restoreErased: boolean
  readonly dryRun: boolean
  readonly reading?: Reading
}

/** Imports the body of a request. */
export async function importUpload(
  { store, projects, rubrics, threads, admission, imports, importLimits }: Services,
  request: Pick<Received, 'upload' | 'signal'>,
  caller: Caller,
  { name, ids, format, restoreErased, dryRun, reading }: HowToImport,
): Promise<z.output<typeof importAnswer>> {
  const project = projects.get(caller.project_id)
  const { project_id: projectId } = project
  const upload = request.upload()
  const { length, encoding } = upload
  if (!ENCODINGS.includes(encoding)) {
    throw new Problem('unsupported_media_type', `Content-Encoding must be one of ${ENCODINGS.join(', ')}`)
  }
  if (length !== undefined && length > importLimits.maxImportBytes) {
    throw new Problem('too_large', `The body is larger than the limit of ${importLimits.maxImportBytes} bytes`)
  }
  const requester = requesterOf(caller)
  const share = await admission.takeUpload(requester)
  const stream = upload.open()
  try {
    const report = await importCalls({
      inputs: [{ name, stream, ids }],
      ...reading,
      ...(format !== undefined && { format }),
      projectId,
      store: store.calls,
      redact: maskingOf(project),
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
    const errors = report.errors.map(one => ({ ...one, message: inParameters(one.message) }))
    return importAnswerOf({ ...report, errors })
  } finally {
    stream.destroy()
    share.release()
  }
}

/** What is said of the options of the command, said of parameters. */
function inParameters(message: string): string {
  return message.replaceAll('--map ', 'the parameter map=').replaceAll('--agent-speaker', 'the parameter agent_speaker')
}
