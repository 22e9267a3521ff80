import { once } from 'node:events'
import { reportFailure } from './report-failure.js'

/**
 * Ends the process when its output can't be written. `earshot … | head`: whoever read has what it wanted, and it ends
 * without a word. Anything else, such as a full disk, is said as every failure is.
 */
export function endWhenOutputEnds(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? 0 : reportFailure(error, process.argv.includes('--json')))
  })
}

/** Writes to stdout, waiting while its reader is slow. */
export async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}
