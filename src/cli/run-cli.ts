import yargs from 'yargs'
import { closest } from '../base/closest.js'
import { echo } from '../base/text.js'
import { adminTokenCommand } from './admin-token.js'
import { agentsCommand } from './agents.js'
import { alertsCommand } from './alerts.js'
import { askCommand } from './ask.js'
import { auditCommand } from './audit.js'
import { callCommand } from './call.js'
import { callsCommand } from './calls.js'
import { changesCommand } from './changes.js'
import { queryCommand } from './query.js'
import { summaryCommand } from './summary.js'
import { webhooksCommand } from './webhooks.js'
import { backupCommand } from './backup.js'
import { compactCommand } from './compact.js'
import { completionCommand } from './completion.js'
import { demoCommand } from './demo.js'
import { doctorCommand } from './doctor.js'
import { eraseCommand } from './erase.js'
import { evaluateCommand } from './evaluate.js'
import { exitCode } from './exit-code.js'
import { exportCommand } from './export.js'
import { generateCommand } from './generate.js'
import { globalOptions } from './global-options.js'
import { hideDash } from './import/standard-input.js'
import { importCommand } from './import.js'
import { kbCommand } from './kb.js'
import { rubricCommand } from './rubric.js'
import { keysCommand } from './keys.js'
import { pipelineCommand } from './pipeline.js'
import { projectCommand } from './project.js'
import { refuseRepeated } from './refuse-repeated.js'
import { reportFailure } from './report-failure.js'
import { restoreCommand } from './restore.js'
import { serveCommand } from './serve.js'
import { tasksCommand } from './tasks.js'
import { interruptedCode } from './until-signal.js'
import { UsageError } from './usage-error.js'
import { version } from './version.js'

/** Runs the command that `args` spell out. Never rejects; answers the exit code. */
export async function runCli(args: readonly string[]): Promise<number> {
  try {
    if (args.length === 0) {
      parser(args).showHelp('log')
      return exitCode.done
    }
    await parser(args).parseAsync()
    // A command that did its work and still has bad news (an import with rejected lines) has set the code itself.
    return typeof process.exitCode === 'number' ? process.exitCode : exitCode.done
  } catch (error) {
    const failed = reportFailure(error, args.includes('--json'))
    return interruptedCode() ?? failed
  }
}

function parser(args: readonly string[]) {
  return (
    yargs(hideDash(args))
      .scriptName('earshot')
      .usage('$0 <command>\n\nCall analytics that its operator runs.')
      .locale('en')
      // A list ends where the next word begins: `--agent A file` is an agent and a file.
      .parserConfiguration({ 'greedy-arrays': false })
      .options(globalOptions)
      .command(serveCommand)
      .command(demoCommand)
      .command(importCommand)
      .command(exportCommand)
      .command(eraseCommand)
      .command(callsCommand)
      .command(callCommand)
      .command(agentsCommand)
      .command(summaryCommand)
      .command(changesCommand)
      .command(queryCommand)
      .command(askCommand)
      .command(generateCommand)
      .command(keysCommand)
      .command(webhooksCommand)
      .command(alertsCommand)
      .command(adminTokenCommand)
      .command(projectCommand)
      .command(backupCommand)
      .command(restoreCommand)
      .command(compactCommand)
      .command(auditCommand)
      .command(doctorCommand)
      .command(kbCommand)
      .command(pipelineCommand)
      .command(tasksCommand)
      .command(rubricCommand)
      .command(evaluateCommand)
      .command(completionCommand)
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
