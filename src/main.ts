import { runCli } from './cli/run-cli.js'
import { endWhenOutputEnds } from './cli/stdout.js'

endWhenOutputEnds()
process.exitCode = await runCli(process.argv.slice(2))
