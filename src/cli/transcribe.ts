import { z } from 'zod'
import { Problem } from '../base/problem.js'
import type { TranscribeReport } from '../ingest/transcribe/transcribe-recordings.js'
import { defineCommand } from './define-command.js'
import { exitCode } from './exit-code.js'
import { globalFlags } from './global-options.js'
import { openConfig } from './open-config.js'
import { print } from './print.js'
import { type Progress, startProgress } from './progress.js'
import { parseOptions } from './schema-options.js'
import { textOption } from './text-option.js'
import { untilInterrupted } from './until-signal.js'

const options = z.object({
  'max-calls': z.int().min(1).optional(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, 'must be a language, such as en')
    .optional(),
})

/** `earshot transcribe`: exits with 0 only when every recording that was tried has its transcript. */
export const transcribeCommand = defineCommand({
  command: 'transcribe <file..>',
  describe: 'Have recordings (wav, mp3, m4a, ogg, opus) transcribed by the configured service, for "import"',
  builder: yargs =>
    yargs
      .positional('file', { type: 'string', array: true, demandOption: true, description: 'File or folder' })
      .options({
        to: { ...textOption('Folder that takes the transcripts'), demandOption: true },
        channels: {
          type: 'boolean',
          default: false,
          description: 'Each channel is one side of the call; by default the service tells speakers apart',
        },
        language: textOption('Language of the calls, such as en (default: told by the service)'),
        'max-calls': { type: 'number', requiresArg: true, description: 'Most recordings that are sent in this run' },
      })
      .example('$0 transcribe recordings/ --to transcripts/ --channels', 'Again, it goes on where it was')
      .example('$0 import transcripts/ --project demo', 'Then'),
  handler: async args => {
    const { language, 'max-calls': mostCalls } = parseOptions(options, {
      language: args.language,
      'max-calls': args.maxCalls,
    })
    const { config } = openConfig(globalFlags(args))
    const { transcriptionUrl: url, transcriptionModel: model } = config
    if (url === undefined || model === undefined) {
      throw new Problem(
        'not_configured',
        'No transcription service is configured: set EARSHOT_TRANSCRIPTION_URL and EARSHOT_TRANSCRIPTION_MODEL',
      )
    }
    const abort = new AbortController()
    const message = 'The transcription was interrupted; the transcripts so far stay. The same command goes on'
    void untilInterrupted().then(() => abort.abort(new Problem('cancelled', message)))
    const { createTranscriptionClient } = await import('../ingest/transcribe/transcription-client.js')
    const { transcribeRecordings } = await import('../ingest/transcribe/transcribe-recordings.js')
    let bar: Progress | undefined
    try {
      const report = await transcribeRecordings({
        inputs: args.file,
        to: args.to,
        client: createTranscriptionClient({
          kind: config.transcriptionKind,
          url,
          model,
          apiKey: config.transcriptionApiKey,
          timeoutMs: config.transcriptionTimeout,
          attempts: config.transcriptionAttempts,
          firstRetryMs: config.transcriptionFirstRetry,
        }),
        recordingsDir: config.recordingsDir,
        concurrency: config.transcriptionConcurrency,
        byChannel: args.channels,
        language,
        mostCalls,
        onProgress: (done, total) => {
          bar ??= startProgress('Transcribing', 'recordings', total, { lines: true })
          bar.update(done)
        },
        signal: abort.signal,
      })
      bar?.stop()
      await print(args.json, report, () => linesOf(report, args.to))
      if (report.refused.length > 0 || report.stopped !== undefined) process.exitCode = exitCode.failed
    } finally {
      bar?.stop()
    }
  },
})

/** Most refused recordings that are listed; --json has them all. */
const MOST_LISTED = 50

function linesOf(report: TranscribeReport, to: string): string {
  const { recordings, transcribed, kept, left, refused, passed_over: passedOver, stopped } = report
  const lines = [
    `${transcribed} of ${recordings} recordings transcribed into ${to} (${kept} were there already, ${refused.length} refused, ${left} left).`,
  ]
  if (passedOver > 0) lines.push(`Passed over, no recordings: ${passedOver}.`)
  if (stopped !== undefined) lines.push(`Stopped: ${stopped}.`)
  else if (left > 0) lines.push('The same command goes on with those that are left.')
  if (refused.length > 0) lines.push('', 'Refused:')
  for (const { file, message } of refused.slice(0, MOST_LISTED)) lines.push(`  ${file}  ${message}`)
  if (refused.length > MOST_LISTED) lines.push(`  and ${refused.length - MOST_LISTED} more; --json has them all`)
  return `${lines.join('\n')}\n`
}
