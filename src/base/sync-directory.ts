import { open } from 'node:fs/promises'

/** Makes durable what was created, renamed or removed in a directory: a file's own sync does not keep its name. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
