import { SECRET_FILES, type SecretName } from '../access/secrets.js'
import { sessionHash as hashOfSession } from '../activity/audit-trail.js'
import { toOcsf } from '../activity/ocsf.js'
import type { TrailVerification } from '../activity/verify-trail.js'
import { Problem } from '../base/problem.js'
import type { ActivityRecord } from '../store/activity-record.js'
import { loadCommandConfig } from '../config.js'
import { auditOf } from '../service/audit-of.js'
import { isEmbedded } from '../service/elsewhere.js'
import { type SecretsConfig, secretsOf } from '../service/secrets-of.js'
import { commandGroup } from './command-group.js'
import { defineCommand } from './define-command.js'
import { exitCode } from './exit-code.js'
import { type GlobalArguments, globalFlags } from './global-options.js'
import { print, table } from './print.js'
import { projectOption } from './project-option.js'
import { writeOut } from './stdout.js'
import { textOption } from './text-option.js'

/** A secret of the installation, which these commands read and never make. @throws Problem */
async function secretOf(config: SecretsConfig, name: SecretName): Promise<string> {
  const secret = await secretsOf(config).kept(name)
  if (secret !== undefined) return secret
  throw new Problem(
    'not_found',
    `There is no ${SECRET_FILES[name]} in ${config.dataDir}: no server of this version ran there yet`,
  )
}

const settingsOf = (args: GlobalArguments) => loadCommandConfig(globalFlags(args)).config

/** `earshot audit verify`: reads only, so it works beside a running server. */
const verify = defineCommand({
  command: 'verify',
  describe: 'Verify that no line of the audit trail was changed, removed, moved or added',
  builder: yargs =>
    yargs
      .option('anchor', textOption('File of signed heads kept elsewhere; default EARSHOT_AUDIT_ANCHOR_FILE'))
      .example('$0 audit verify --data-dir /var/lib/earshot', ''),
  handler: async args => {
    const config = settingsOf(args)
    const anchorFile = args.anchor ?? config.auditAnchorFile
    const chainSecret = await secretOf(config, 'auditChain')
    const found = await auditOf(config).verify({ chainSecret, ...(anchorFile !== undefined && { anchorFile }) })
    await print(args.json, found, () => verificationLines(found, isEmbedded(config) ? 'files' : 'chains'))
    if (!found.ok) process.exitCode = exitCode.failed
  },
})

/** @param parts what it is divided into */
function verificationLines(found: TrailVerification, parts: 'files' | 'chains'): string {
  const { lines, segments, before_chain: before, torn_bytes: torn, findings, more } = found
  const numbers = found.from === undefined ? '' : ` (numbers ${found.from} to ${found.to})`
  const rows = findings.map(one => [
    one.kind,
    one.segment,
    one.line === undefined ? '' : String(one.line),
    one.seq === undefined ? '' : one.to === undefined || one.to === one.seq ? String(one.seq) : `${one.seq}-${one.to}`,
    one.what,
  ])
  return [
    `${lines} lines in ${segments} ${parts} carry the seal of what they say${numbers}.`,
    ...(before === 0 ? [] : [`${before} lines are from before the chain: only their checksums hold.`]),
    ...(torn === 0
      ? []
      : [`${torn} bytes of a torn line stand at the end: a crash left them, and they were never acknowledged.`]),
    found.ok ? 'Nothing was changed, removed, moved or added.\n' : '',
    ...(found.ok
      ? []
      : [
          table(['Found', parts === 'files' ? 'File' : 'Chain', 'Line', 'Number', ''], rows),
          ...(more ? ['There is more.\n'] : []),
        ]),
  ].join('\n')
}

/** `earshot audit export`: all of it, or a period, for another system. */
const exportTrail = defineCommand({
  command: 'export',
  describe: 'Write the audit trail as lines of JSON',
  builder: yargs =>
    yargs
      .option('format', {
        choices: ['ndjson', 'ocsf'] as const,
        default: 'ndjson' as const,
        description: 'As it stands, or as API Activity of OCSF 1.3',
      })
      .option('from', textOption('From this time on, such as 2026-03-01 or 2026-03-01T12:00:00Z'))
      .option('to', textOption('Up to this time, itself left out'))
      .option('project', textOption('Only requests of this project'))
      .example('$0 audit export --format ocsf --from 2026-03-01', ''),
  handler: async args => {
    const [from, to] = [instant('from', args.from), instant('to', args.to)]
    await auditOf(settingsOf(args)).read(async event => {
      const at = Date.parse(event.at)
      if (at < (from ?? -Infinity) || at >= (to ?? Infinity)) return
      if (args.project !== undefined && event.project_id !== args.project) return
      await writeOut(`${JSON.stringify(args.format === 'ocsf' ? toOcsf(event) : event)}\n`)
    })
  },
})

function instant(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new Problem('invalid_input', `--${name} takes a date or a time with offset`)
  return time
}

/** `earshot audit heard`: who asked for one call. */
const heard = defineCommand({
  command: 'heard <session_id>',
  describe: 'Show who asked for a call by its id, by the keyed hash in the audit trail',
  builder: yargs =>
    yargs
      .positional('session_id', {
        type: 'string',
        demandOption: true,
        describe: 'Id of the call; it may be erased by now',
      })
      .options(projectOption)
      .example('$0 audit heard call-0001 --project demo', ''),
  handler: async args => {
    const config = settingsOf(args)
    const sessionHash = hashOfSession(await secretOf(config, 'sessionHashes'), args.project, args.session_id)
    const requests: ActivityRecord[] = []
    await auditOf(config).read(async event => void requests.push(event), { projectId: args.project, sessionHash })
    const rows = requests.map(({ at, name, credential_id, page, outcome }) => [at, name, credential_id, page, outcome])
    await print(args.json, { session_id: args.session_id, project_id: args.project, requests }, () =>
      requests.length === 0
        ? 'Nobody asked for it by its id.\n'
        : table(['At', 'Name', 'Key', 'Asked', 'Outcome'], rows),
    )
  },
})

/** `earshot audit …` */
export const auditCommand = commandGroup({
  name: 'audit',
  describe: 'The audit trail: verify it, export it, and who asked for a call',
  commands: yargs => yargs.command(verify).command(exportTrail).command(heard),
  example: 'verify',
})
