import { once } from 'node:events'

/** `earshot … | head`: whoever read has what it wanted. Ends without a word, and without the stack of an EPIPE. */
export function endQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
}

/** Writes to stdout, waiting while its reader is slow. */
export async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}
