import { runCli } from './cli/run-cli.js'
import { endWhenOutputEnds } from './cli/stdout.js'

// What a command or the service writes is for whoever runs it alone. The engine opens files by itself, and only this reaches them.
process.umask(0o077)
endWhenOutputEnds()
process.exitCode = await runCli(process.argv.slice(2))
