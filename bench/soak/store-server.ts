import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The server of a store. */
interface StoreServer {
  readonly url: string
  end(): Promise<void>
}

/** A server that somebody has running, or the fake of the tests in a process of its own. */
export async function startStoreServer(url: string | undefined): Promise<StoreServer> {
  if (url !== undefined) return { url, end: () => Promise.resolve() }
  const child = fork(fileURLToPath(new URL('./fake-store.js', import.meta.url)), { stdio: 'inherit' })
  // A trial that fails ends it too.
  process.on('exit', () => child.kill('SIGKILL'))
  const [said] = (await once(child, 'message')) as [string]
  return {
    url: said,
    end: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
