import { runCli } from './cli/run-cli.js'
import { endQuietlyOnClosedPipe } from './cli/stdout.js'

endQuietlyOnClosedPipe()
process.exitCode = await runCli(process.argv.slice(2))
