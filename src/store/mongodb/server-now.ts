import type { Db } from 'mongodb'

/** The server's time: that of the processes may differ. Milliseconds since 1970. */
export async function serverNow(db: Db): Promise<number> {
  const ask = async (): Promise<{ readonly localTime?: unknown }> => await db.admin().command({ hello: 1 })
  // Of a command the driver asks by itself nothing again, as it does where a primary ends.
  const { localTime } = await ask().catch(ask)
  return localTime instanceof Date ? localTime.getTime() : Date.now()
}
