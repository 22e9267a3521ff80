import { z } from 'zod'
import { countRows } from '../store/duckdb/files/count-rows.js'
import { sealingTo } from './age.js'
import { copyFile } from './copy-file.js'
import { type ChildAnswer, childOrder } from './child-order.js'

/*
 * A process of its own that reads what the server must not open itself: closing any descriptor on the store's files
 * would drop the engine's lock there, and a second process could then write. Started by `runChild`.
 */

/** Milliseconds between two words on how far it is. */
const SAY_MS = 100

/** Tells whoever asked; one who is gone hears nothing, and its going ends this process. */
const say = (answer: ChildAnswer) => void process.send?.(answer, () => undefined)

async function run(message: unknown): Promise<ChildAnswer> {
  const { copies, count, recipient } = childOrder.parse(message)
  const through = recipient === undefined ? undefined : await sealingTo(recipient)
  const digests = []
  let bytes = 0
  let said = performance.now()
  for (const { from, to, limit } of copies) {
    const digest = await copyFile(from, {
      ...(to === undefined ? {} : { to }),
      ...(limit === undefined ? {} : { limit }),
      through,
      onBytes: more => {
        bytes += more
        if (performance.now() - said < SAY_MS) return
        said = performance.now()
        say({ copied: bytes })
      },
    })
    digests.push(digest)
  }
  const counts = count === undefined ? undefined : await countRows(count)
  return { digests, ...(counts && { counts }) }
}

// As bin/earshot.cjs says: it would open a debugger.
process.on('SIGUSR1', () => undefined)
// Whoever asked is gone: nobody wants the copy.
process.once('disconnect', () => process.exit(1))
process.once('message', (message: unknown) => {
  void run(message)
    .catch((error: unknown): ChildAnswer => {
      const { data } = z.object({ code: z.string() }).safeParse(error)
      const text = error instanceof Error ? error.message : String(error)
      return { failed: { ...data, message: text } }
    })
    .then(say)
})
say({ ready: true })
