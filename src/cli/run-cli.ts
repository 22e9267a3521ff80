import yargs, { type Argv } from 'yargs'
import { closest } from '../base/closest.js'
import { echo } from '../base/text.js'
import { exitCode } from './exit-code.js'
import { type GlobalArguments, globalOptions } from './global-options.js'
import { hideDash } from './import/standard-input.js'
import { refuseRepeated } from './refuse-repeated.js'
import { reportFailure } from './report-failure.js'
import { interruptedCode } from './until-signal.js'
import { UsageError } from './usage-error.js'
import { version } from './version.js'

/**
 * Every command by its name, in the order of the help, loaded when it is asked for: all of them together are the whole program,
 * half a second of processor time before the first of them begins.
 */
const commands: Readonly<Record<string, (parser: Argv<GlobalArguments>) => Promise<unknown>>> = {
  serve: async parser => parser.command((await import('./serve.js')).serveCommand),
  demo: async parser => parser.command((await import('./demo.js')).demoCommand),
  import: async parser => parser.command((await import('./import.js')).importCommand),
  mapping: async parser => parser.command((await import('./mapping.js')).mappingCommand),
  inbound: async parser => parser.command((await import('./inbound.js')).inboundCommand),
  transcribe: async parser => parser.command((await import('./transcribe.js')).transcribeCommand),
  export: async parser => parser.command((await import('./export.js')).exportCommand),
  erase: async parser => parser.command((await import('./erase.js')).eraseCommand),
  customer: async parser => parser.command((await import('./customer.js')).customerCommand),
  holds: async parser => parser.command((await import('./holds.js')).holdsCommand),
  redact: async parser => parser.command((await import('./redact.js')).redactCommand),
  erasures: async parser => parser.command((await import('./holds.js')).erasuresCommand),
  calls: async parser => parser.command((await import('./calls.js')).callsCommand),
  call: async parser => parser.command((await import('./call.js')).callCommand),
  agents: async parser => parser.command((await import('./agents.js')).agentsCommand),
  summary: async parser => parser.command((await import('./summary.js')).summaryCommand),
  reasons: async parser => parser.command((await import('./reasons.js')).reasonsCommand),
  verdicts: async parser => parser.command((await import('./verdicts.js')).verdictsCommand),
  changes: async parser => parser.command((await import('./changes.js')).changesCommand),
  query: async parser => parser.command((await import('./query.js')).queryCommand),
  ask: async parser => parser.command((await import('./ask.js')).askCommand),
  generate: async parser => parser.command((await import('./generate.js')).generateCommand),
  keys: async parser => parser.command((await import('./keys.js')).keysCommand),
  invite: async parser => parser.command((await import('./keys.js')).inviteCommand),
  sso: async parser => parser.command((await import('./sso.js')).ssoCommand),
  approvals: async parser => parser.command((await import('./approvals.js')).approvalsCommand),
  teams: async parser => parser.command((await import('./teams.js')).teamsCommand),
  connect: async parser => parser.command((await import('./connect.js')).connectCommand),
  webhooks: async parser => parser.command((await import('./webhooks.js')).webhooksCommand),
  alerts: async parser => parser.command((await import('./alerts.js')).alertsCommand),
  'admin-token': async parser => parser.command((await import('./admin-token.js')).adminTokenCommand),
  project: async parser => parser.command((await import('./project.js')).projectCommand),
  backup: async parser => parser.command((await import('./backup.js')).backupCommand),
  restore: async parser => parser.command((await import('./restore.js')).restoreCommand),
  compact: async parser => parser.command((await import('./compact.js')).compactCommand),
  move: async parser => parser.command((await import('./move.js')).moveCommand),
  audit: async parser => parser.command((await import('./audit.js')).auditCommand),
  doctor: async parser => parser.command((await import('./doctor.js')).doctorCommand),
  kb: async parser => parser.command((await import('./kb.js')).kbCommand),
  pipeline: async parser => parser.command((await import('./pipeline.js')).pipelineCommand),
  tasks: async parser => parser.command((await import('./tasks.js')).tasksCommand),
  rubric: async parser => parser.command((await import('./rubric.js')).rubricCommand),
  evaluate: async parser => parser.command((await import('./evaluate.js')).evaluateCommand),
  completion: async parser => parser.command((await import('./completion.js')).completionCommand),
}

/** Runs the command that `args` spell out. Never rejects; answers the exit code. */
export async function runCli(args: readonly string[]): Promise<number> {
  try {
    if (args.length === 0) {
      const parser = await parserFor(args)
      parser.showHelp('log')
      return exitCode.done
    }
    const parser = await parserFor(args)
    await parser.parseAsync()
    // A command that did its work and still has bad news (an import with rejected lines) has set the code itself.
    return typeof process.exitCode === 'number' ? process.exitCode : exitCode.done
  } catch (error) {
    const failed = reportFailure(error, args.includes('--json'))
    return interruptedCode() ?? failed
  }
}

/**
 * The parser with the command that `args` begin with, or with all where they begin otherwise: then it is about any of them, but for
 * the version, which is about none.
 */
async function parserFor(args: readonly string[]): Promise<Argv<GlobalArguments>> {
  const parser = parserOf(args)
  const [first = ''] = args
  const wanted = Object.hasOwn(commands, first) ? [first] : first === '--version' ? [] : Object.keys(commands)
  for (const name of wanted) await commands[name]?.(parser)
  return parser
}

/** A public key of ours in base64url that begins with a dash, as one in 64 does: the parser would take it for an option. */
const DASHED_KEY = /^-[\w-]{42}$/

/** Gives such a key to the option before it. */
function joinKeys(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, i) => {
    const [before = '', next = ''] = [args[i - 1], args[i + 1]]
    if (DASHED_KEY.test(arg) && before.startsWith('--')) return []
    return arg.startsWith('--') && DASHED_KEY.test(next) ? [`${arg}=${next}`] : [arg]
  })
}

function parserOf(args: readonly string[]): Argv<GlobalArguments> {
  return (
    yargs(joinKeys(hideDash(args)))
      .scriptName('earshot')
      .usage('$0 <command>\n\nCall analytics that its operator runs.')
      .locale('en')
      // A list ends where the next word begins: `--agent A file` is an agent and a file.
      .parserConfiguration({ 'greedy-arrays': false })
      .options(globalOptions)
      .example('$0 demo', 'a service with sample calls to try')
      .example('$0 summary', 'what the calls of the store are like')
      .example('source <($0 completion)', 'complete commands and options in this shell')
      .demandCommand(1, 'Name a command')
      .recommendCommands()
      .strict()
      // The library hands over the options of its parser; its types say aliases.
      .check((given, options) =>
        refuseRepeated(given, (options as unknown as { readonly array: readonly string[] }).array),
      )
      .exitProcess(false)
      .fail((message: string | null, error: unknown, usage: unknown) => {
        // A message alone is about how the command was written; what a command itself threw comes with none.
        throw message !== null && !(error instanceof UsageError)
          ? new UsageError(inOurWords(message, usage as Usage))
          : error
      })
      .version(version)
      .help()
      .epilogue(
        'Settings come from the environment and flags: docs/configuration.md. Exit codes: 0 done, 1 failed, 2 usage, 130 interrupted.',
      )
  )
}

/** What the library hands over with a failure; its types say that it is the parser. */
interface Usage {
  /** The help of the command that failed. */
  help(): string
}

/** A value that is none of those there are, with the one that may be meant. */
function notAmong(name: string, given: string, choices: string): string {
  const meant = closest(given.replaceAll('"', ''), choices.replaceAll('"', '').split(', '))
  const hint = meant === undefined ? '' : `; did you mean ${echo(meant)}?`
  return `${name} must be one of ${choices}, not ${given}${hint}`
}

/** What the library counts as "non-option arguments" is a subcommand, a file or an id; and options are written with dashes. */
function inOurWords(message: string, usage: Usage): string {
  if (message.startsWith('Not enough non-option arguments'))
    return `Something is missing: ${usage.help().split('\n')[0]}`
  const [, name, given, choices] =
    /^Invalid values:\n {2}Argument: (\S+), Given: (.*), Choices: (.*)$/s.exec(message) ?? []
  if (name !== undefined && given !== undefined && choices !== undefined) {
    const isWord = usage.help().split('\n')[0]?.includes(`<${name}>`) === true
    return notAmong(isWord ? `<${name}>` : `--${name}`, given, choices)
  }
  const missing = /^Missing required arguments?: (.+)$/.exec(message)?.[1]
  return missing === undefined ? message : `Something is missing: ${missing.replaceAll(/[^, ]+/g, '--$&')}`
}
