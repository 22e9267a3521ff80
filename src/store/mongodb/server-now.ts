import type { Db } from 'mongodb'

/** The server's time: that of the processes may differ. Milliseconds since 1970. */
export async function serverNow(db: Db): Promise<number> {
  const { localTime }: { readonly localTime?: unknown } = await db.admin().command({ hello: 1 })
  return localTime instanceof Date ? localTime.getTime() : Date.now()
}
